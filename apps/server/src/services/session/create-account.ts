import { USER_ROLE } from '@tollgate/kit/codes'
import { randomAlphanumeric } from '@tollgate/kit/ids'
import { problem } from '@tollgate/problems/problem'
import type { Db } from '@tollgate/store/tables/schema'
import { normalEmail } from '@tollgate/store/accounts/user-normalization'
import { type NewUser, countInvited, insertUser } from '@tollgate/store/accounts/user-changes'
import { findInviter, isUsernameTaken } from '@tollgate/store/accounts/users'
import type { ChangedBy } from '../change.ts'
import type { SessionServices } from './services.ts'
import { giveWelcome, welcomeWork } from './welcome.ts'

const AFF_CODE_CHARACTERS = 8

export interface NewAccount {
  readonly username: string
  readonly displayName: string
  /** Empty for an account without a password. */
  readonly passwordHash: string
  /** Invitation code. An unknown or empty one counts as none. */
  readonly affCode: string
  /** An address that the person has proven to own and that nobody else uses. */
  readonly email?: string
  /** The administrator who creates the account, for the audit trail. */
  readonly createdBy?: ChangedBy
  /** Inserts the user row; replaced when another row must be inserted with it. */
  readonly insert?: (db: Db, user: NewUser) => Promise<number>
}

/**
 * Every registration method ends here: it creates the user row, links the inviter and queues the rewards.
 * Throws `username_taken` and `email_taken`, or the database's unique violation when another value is taken.
 */
export async function createAccount(services: SessionServices, account: NewAccount): Promise<number> {
  const { store, options, outbox, notices, change } = services
  if (await isUsernameTaken(store, account.username)) throw problem('username_taken')
  const inviterId = (await findInviter(store, account.affCode)) ?? 0
  const user = newUser(services, account, inviterId)
  const { insert = insertUser, createdBy } = account
  const work = async (transaction: Db) => {
    const userId = await insert(transaction, user)
    if (inviterId !== 0) await countInvited(transaction, inviterId)
    const welcome = welcomeWork(options, { userId, inviterId })
    await outbox.add(welcome, transaction)
    return { userId, welcome }
  }
  const { username, display_name, role } = user
  const write = createdBy
    ? change(createdBy, {
        action: 'create',
        entity: 'user',
        work,
        row: ({ userId }) => ({ entityId: userId, after: { username, display_name, role } }),
      })
    : store.transaction().execute(work)
  const { userId, welcome } = await write.catch((error: unknown) => refuseTaken(services, { user, error }))
  await giveNow(services, welcome.payload)
  outbox.wake()
  await notices.publish('users', userId)
  return userId
}

/** Credits the rewards at once instead of at the outbox's next run. */
async function giveNow(services: SessionServices, payload: unknown): Promise<void> {
  try {
    await giveWelcome(services, payload)
  } catch {
    // The account exists already, and the outbox retries the reward until all of it is credited.
  }
}

function newUser({ clock }: SessionServices, account: NewAccount, inviterId: number): NewUser {
  return {
    username: account.username,
    display_name: account.displayName,
    password_hash: account.passwordHash,
    role: USER_ROLE.user,
    created_ms: clock.nowMs(),
    aff_code: newAffCode(),
    inviter_id: inviterId,
    email: normalEmail(account.email ?? ''),
  }
}

export function newAffCode(): string {
  return randomAlphanumeric(AFF_CODE_CHARACTERS)
}

/** Explains a unique violation: a concurrent registration has taken the value. */
async function refuseTaken(
  { store }: SessionServices,
  { user, error }: { user: NewUser; error: unknown },
): Promise<never> {
  if (await isUsernameTaken(store, user.username)) throw problem('username_taken', {}, { cause: error })
  throw error
}
