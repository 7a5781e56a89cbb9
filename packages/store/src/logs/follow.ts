import { LOG_TYPE } from '@tollgate/kit/codes'
import type { Db } from '../tables/schema.ts'

/** Rows of calls behind a position, in the order of their ids, for receivers that follow the log. */
export function listCallsAfter(
  db: Db,
  { after, through, limit }: { readonly after: number; readonly through: number; readonly limit: number },
) {
  return db
    .selectFrom('logs')
    .select([
      'id',
      'request_id',
      'created_at',
      'type',
      'user_id',
      'username',
      'token_id',
      'token_name',
      'group_name',
      'model_name',
      'channel_id',
      'quota',
      'cost',
      'prompt_tokens',
      'completion_tokens',
      'cached_tokens',
      'duration_ms',
      'first_byte_ms',
      'is_stream',
      'client',
      'session',
    ])
    .where('id', '>', after)
    .where('id', '<=', through)
    .where('type', 'in', [LOG_TYPE.consumption, LOG_TYPE.error])
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** 0 when the log is empty. */
export async function newestLogId(db: Db): Promise<number> {
  const row = await db
    .selectFrom('logs')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? 0
}
