import type { Flag } from '@tollgate/store/tables/flag'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { type WireReader, type WireTexts, type WireValue, wireAmount } from './wire.ts'

export function encodeLog(row: UsageLogRow, texts: WireTexts): WireValue {
  return [
    row.request_id,
    row.user_id,
    row.created_at,
    row.type,
    texts.shared(row.content),
    row.username,
    row.token_id,
    row.token_name,
    row.model_name,
    wireAmount(row.quota),
    row.prompt_tokens,
    row.completion_tokens,
    row.use_time,
    row.duration_ms,
    row.first_byte_ms,
    row.is_stream,
    row.channel_id,
    row.group_name,
    row.ip,
    texts.own(row.other),
    optionalAmount(row.cost),
    row.session ?? null,
    row.client ?? null,
    row.client_version ?? null,
    row.cached_tokens ?? null,
    optionalAmount(row.cache_saved),
    row.upstream_request_id ?? null,
  ]
}

function optionalAmount(amount: bigint | null | undefined): WireValue {
  return amount === undefined || amount === null ? null : wireAmount(amount)
}

export function decodeLog(wire: WireReader): UsageLogRow {
  return {
    request_id: wire.optionalText() ?? null,
    user_id: wire.number(),
    created_at: wire.number(),
    type: wire.number(),
    content: wire.longText(),
    username: wire.text(),
    token_id: wire.number(),
    token_name: wire.text(),
    model_name: wire.text(),
    quota: wire.amount(),
    prompt_tokens: wire.number(),
    completion_tokens: wire.number(),
    use_time: wire.number(),
    duration_ms: wire.number(),
    first_byte_ms: wire.number(),
    is_stream: flag(wire.flag()),
    channel_id: wire.number(),
    group_name: wire.text(),
    ip: wire.text(),
    other: wire.longText(),
    cost: wire.optionalAmount() ?? null,
    session: wire.optionalText() ?? null,
    client: wire.optionalText() ?? null,
    client_version: wire.optionalText() ?? null,
    cached_tokens: wire.optionalNumber() ?? null,
    cache_saved: wire.optionalAmount() ?? null,
    upstream_request_id: wire.optionalText() ?? null,
  }
}

function flag(value: boolean): Flag {
  return value ? 1 : 0
}
