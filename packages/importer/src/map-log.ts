import { LOG_TYPE } from '@tollgate/kit/codes'
import { FOREIGN_ID_CHARACTERS_MAX, keepPlainText } from '@tollgate/kit/plain-text'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { code, flag, seconds, text, units, whole } from './cell.ts'
import { bounded } from './figures.ts'
import type { SourceRow } from './source.ts'

export interface LogOptions {
  readonly sourceId: string
  /** Decides the meaning of log type 5: see `knowsCheckIns`. */
  readonly knowsCheckIns: boolean
}

/**
 * Maps a row of the usage log. Its request id is built from the source id and the row id, so that importing
 * it twice adds it once.
 */
export function mapLog(row: SourceRow, { sourceId, knowsCheckIns }: LogOptions): UsageLogRow {
  const type = code(row, 'type')
  const elapsedMs = Math.max(0, code(row, 'elapsed_time'))
  const useTime = Math.max(0, code(row, 'use_time')) || Math.round(elapsedMs / 1000)
  return {
    request_id: `import:${sourceId}:${whole(row, 'id')}`,
    user_id: whole(row, 'user_id'),
    created_at: seconds(row, 'created_at'),
    type: type === LOG_TYPE.checkIn && !knowsCheckIns ? LOG_TYPE.error : type,
    content: text(row, 'content'),
    username: text(row, 'username'),
    token_id: whole(row, 'token_id'),
    token_name: text(row, 'token_name'),
    model_name: text(row, 'model_name'),
    quota: bounded(units(row, 'quota')),
    prompt_tokens: code(row, 'prompt_tokens'),
    completion_tokens: code(row, 'completion_tokens'),
    use_time: useTime,
    duration_ms: elapsedMs || useTime * 1000,
    first_byte_ms: 0,
    is_stream: flag(row, 'is_stream'),
    channel_id: whole(row, 'channel_id'),
    group_name: text(row, 'group'),
    ip: text(row, 'ip'),
    other: withRequestId(row),
    upstream_request_id: keepPlainText(text(row, 'upstream_request_id'), FOREIGN_ID_CHARACTERS_MAX) ?? null,
  }
}

/**
 * The details of the row, with the id under which the source knows the call: our own id says where the row comes
 * from. The JSON is not parsed, because a log has millions of rows.
 */
function withRequestId(row: SourceRow): string {
  const stored = text(row, 'other').trim()
  const other = stored === 'null' ? '' : stored
  const id = text(row, 'request_id')
  if (id === '' || other.includes('"request_id"') || (other !== '' && !other.startsWith('{'))) return other
  const members = JSON.stringify({ request_id: id })
  const rest = other.slice(1).trimStart()
  return rest === '' || rest === '}' ? members : `${members.slice(0, -1)},${rest}`
}
