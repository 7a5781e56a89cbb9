import type { LogRow } from '@tollgate/contract/log'
import type { LogRowWithChannel } from '@tollgate/store/logs'
import { wireQuota } from '../wire-quota.ts'

/** A row as an operator sees it. */
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
  }
}

/** A row as the user it belongs to sees it: nothing of channels. The id stays the real one. */
export function toOwnWireLog(row: LogRowWithChannel): LogRow {
  return { ...toWireLog(row), channel: 0, channel_name: '', other: withoutAdminInfo(row.other) }
}

/** JSON text, or "" when nothing is left or the text is not a JSON object; never the word `null`. */
export function withoutAdminInfo(other: string): string {
  const { admin_info: _hidden, ...shown } = parseObject(other)
  return Object.keys(shown).length === 0 ? '' : JSON.stringify(shown)
}

function parseObject(text: string): Record<string, unknown> {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    // A row that cannot be read cannot be shown to be free of admin_info either.
    return {}
  }
}
