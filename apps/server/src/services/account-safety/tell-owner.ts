import type { AccountEvent, ChangeAuthor } from '@tollgate/contract/account-safety'
import { randomToken } from '@tollgate/kit/ids'
import type { Language } from '@tollgate/kit/problem'
import type { Database } from '@tollgate/store/schema'
import { findUser } from '@tollgate/store/users'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { readSetting } from '../account/setting-text.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Services } from '../services.ts'

export interface AccountChange {
  readonly userId: number
  readonly event: AccountEvent
  /** Default: somebody signed in to the account. */
  readonly by?: ChangeAuthor
  readonly provider?: string
  /** The address that is bound now. */
  readonly email?: string
  /** The network address that the change came from. */
  readonly address: string
  /** Of the call; the owner's own choice goes first. */
  readonly language: Language
  /** Where the mail goes. Default: the address of the account, which must not be the one that just changed. */
  readonly to?: string
  /** Restores the address before; "" when there is none. */
  readonly undoToken?: string
}

/** What is queued: told by mail or in the console when its turn comes. */
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

/** Queued by the transaction that changes the account, so that neither happens without the other; wake the outbox after it. */
export async function tellOwner(
  { outbox, clock }: Pick<Services, 'clock'> & { readonly outbox: Outbox },
  change: AccountChange,
  transaction: Kysely<Database>,
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

/** Enough to recognise an own address by, and no more. */
function masked(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 0 ? '' : `${email.slice(0, 1)}***${email.slice(at)}`
}
