import type { UsageLogRow } from '@tollgate/store/tables/logs'

/** Columns of the usage log, in the order in which they are transferred and bound. */
export const LOG_COLUMNS = [
  'request_id',
  'user_id',
  'created_at',
  'type',
  'content',
  'username',
  'token_id',
  'token_name',
  'model_name',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'use_time',
  'duration_ms',
  'first_byte_ms',
  'is_stream',
  'channel_id',
  'group_name',
  'ip',
  'other',
  'cost',
] as const satisfies readonly (keyof UsageLogRow)[]
