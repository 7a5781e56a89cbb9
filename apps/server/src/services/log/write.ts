import type { LogEvent } from '@tollgate/contract/log-event/event'
import { insertLogRows, rowWithoutCall } from '@tollgate/store/logs/rows'
import { findUser } from '@tollgate/store/accounts/users'
import type { Services } from '../services.ts'

/** A row in a user's log that does not come from a call. */
export interface OwnLogRow {
  readonly userId: number
  readonly type: number
  readonly event: LogEvent
  /** Further members, beside those of the event. */
  readonly more?: Readonly<Record<string, unknown>>
  /** Idempotency key: the same key leaves one row however often it is written. */
  readonly key?: string
  readonly address?: string
  /** Default: now. */
  readonly atMs?: number
}

export async function writeLog(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  row: OwnLogRow,
): Promise<void> {
  const user = await findUser(store, row.userId)
  await insertLogRows(store, [
    {
      ...rowWithoutCall,
      request_id: row.key ?? null,
      user_id: row.userId,
      username: user?.username ?? '',
      group_name: user?.group_name ?? '',
      created_at: Math.floor((row.atMs ?? clock.nowMs()) / 1000),
      type: row.type,
      content: '',
      ip: row.address ?? '',
      other: JSON.stringify({ ...row.event, ...row.more }),
    },
  ])
}
