import type { AccountEvent, ChangeAuthor } from '@tollgate/contract/account-safety'
import { randomToken } from '@tollgate/kit/ids'
import type { Language } from '@tollgate/problems/problem'
import type { Db } from '@tollgate/store/tables/schema'
import { findUser } from '@tollgate/store/accounts/users'
import { z } from 'zod'
import { readSetting } from '../account/setting-text.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Services } from '../services.ts'

export interface AccountChange {
  readonly userId: number
  readonly event: AccountEvent
  /** Default: `owner`, a user who was signed in to the account. */
  readonly by?: ChangeAuthor
  readonly provider?: string
  /** The email address that is bound after the change. */
  readonly email?: string
  /** IP address of the request that made the change. */
  readonly address: string
  /** Language of the request. A language that the owner has saved takes precedence. */
  readonly language: Language
  /**
   * Recipient of the email. Default: the account's address, which is wrong if that address is what changed.
   */
  readonly to?: string
  /** Token that restores the previous email address; "" or absent when there is none. */
  readonly undoToken?: string
}

/** The queued form of a change; it is delivered later by email or as a console notice. */
export const queuedChangeSchema = z.object({
  userId: z.int(),
  event: z.string(),
  by: z.string(),
  provider: z.string(),
  email: z.string(),
  address: z.string(),
  atMs: z.int(),
  username: z.string(),
  to: z.string(),
  language: z.enum(['en', 'zh']),
  undoToken: z.string(),
})
type QueuedChange = z.output<typeof queuedChangeSchema> & {
  readonly event: AccountEvent
  readonly by: ChangeAuthor
}

/**
 * Queues the notification in the transaction that changes the account, so that both happen or neither. Call
 * `outbox.wake()` after the commit.
 */
export async function notifyOwner(
  { outbox, clock }: Pick<Services, 'clock'> & { readonly outbox: Outbox },
  change: AccountChange,
  transaction: Db,
): Promise<void> {
  const { userId, event, by = 'owner' } = change
  const user = await findUser(transaction, userId)
  if (!user) return
  const payload: QueuedChange = {
    userId,
    event,
    by,
    provider: change.provider ?? '',
    email: masked(change.email ?? ''),
    address: by === 'administrator' ? '' : change.address,
    atMs: clock.nowMs(),
    username: user.username,
    to: change.to ?? user.email,
    language: user.setting === '' ? change.language : readSetting(user.setting).language,
    undoToken: change.undoToken ?? '',
  }
  const cause = `account-change:${userId}:${randomToken(16)}`
  await outbox.add({ cause, kind: 'account-change', payload }, transaction)
}

/** Shows enough for the owner to recognise the address: `a***@example.com`. */
function masked(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 0 ? '' : `${email.slice(0, 1)}***${email.slice(at)}`
}
