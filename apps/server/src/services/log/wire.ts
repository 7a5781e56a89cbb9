import type { LogRow } from '@tollgate/contract/log'
import { parseObject } from '@tollgate/kit/json'
import type { LogRowWithChannel } from '@tollgate/store/logs/logs'
import { wireQuota } from '../wire-quota.ts'

/** A log row as an operator sees it. */
export function toWireLog(row: LogRowWithChannel): LogRow {
  return {
    id: row.id,
    request_id: row.request_id ?? '',
    user_id: row.user_id,
    created_at: row.created_at,
    type: row.type,
    content: row.content,
    username: row.username,
    token_id: row.token_id,
    token_name: row.token_name,
    model_name: row.model_name,
    quota: wireQuota(row.quota),
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    use_time: row.use_time,
    duration_ms: row.duration_ms,
    first_byte_ms: row.first_byte_ms,
    is_stream: row.is_stream === 1,
    channel: row.channel_id,
    channel_name: row.channel_name ?? '',
    group: row.group_name,
    ip: row.ip,
    other: row.other,
    cost: row.cost === null ? null : wireQuota(row.cost),
    session: row.session ?? '',
    client: row.client ?? '',
    client_version: row.client_version ?? '',
    cached_tokens: row.cached_tokens ?? 0,
    cache_saved: wireQuota(row.cache_saved ?? 0n),
    upstream_request_id: row.upstream_request_id ?? '',
  }
}

/** A log row as the user it belongs to sees it, without channel data. The id is the real one. */
export function toOwnWireLog(row: LogRowWithChannel): LogRow {
  return {
    ...toWireLog(row),
    channel: 0,
    channel_name: '',
    other: withoutAdminInfo(row.other),
    cost: null,
    upstream_request_id: '',
  }
}

/**
 * Removes `admin_info` and the edits that the channel's settings made to the call. Returns JSON, or "" when
 * nothing is left or the text is not a JSON object; never the word `null`.
 */
export function withoutAdminInfo(other: string): string {
  const { admin_info: _hidden, po: _edits, ...shown } = otherMembers(other)
  return Object.keys(shown).length === 0 ? '' : JSON.stringify(shown)
}

/** Members with prompt and response texts; logs imported from new-api or a fork may contain them. */
const TEXTS = ['input_content', 'output_content', 'context', 'system_prompt'] as const

/** The row for a reader who may not see prompts and responses. */
export function withoutTexts(row: LogRow): LogRow {
  if (!TEXTS.some((name) => row.other.includes(`"${name}"`))) return row
  const members = Object.entries(otherMembers(row.other)).filter(
    ([name]) => !TEXTS.some((text) => text === name),
  )
  return { ...row, other: members.length === 0 ? '' : JSON.stringify(Object.fromEntries(members)) }
}

/** The members of `other`; empty when it is not a JSON object. */
export function otherMembers(text: string): Record<string, unknown> {
  // An unreadable text cannot be checked for `admin_info`, so nothing of it is shown.
  return text === '' ? {} : (parseObject(text) ?? {})
}
