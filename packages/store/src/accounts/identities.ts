import { createHash } from 'node:crypto'
import { USER_ROLE, USER_STATUS } from '@tollgate/kit/codes'
import type { Transaction } from 'kysely'
import { inTransaction } from '../database/in-transaction.ts'
import type { Database, Db } from '../tables/schema.ts'
import type { UserTable } from '../tables/accounts.ts'
import { engineOf, isUniqueViolation } from '../database/traits.ts'
import { type NewUser, insertUser } from './user-changes.ts'

/** User columns that show the bound identity, by provider. */
export const identityColumns = {
  github: 'github_id',
  oidc: 'oidc_id',
  linuxdo: 'linux_do_id',
  wechat: 'wechat_id',
  telegram: 'telegram_id',
} as const

export type IdentityProvider = keyof typeof identityColumns

/** A person as identified by a sign-in provider. */
export interface Identity {
  readonly provider: IdentityProvider
  /** The issuer of the subject; "" where the provider is its only issuer. */
  readonly issuer: string
  /** The provider never changes it and never gives it to another person. */
  readonly subject: string
  /**
   * Identifiers that older systems stored instead of the subject. One is accepted once; after that the
   * account is pinned to the subject.
   */
  readonly formerSubjects: readonly string[]
}

export interface IdentityOwner {
  readonly id: number
  readonly status: number
  readonly isDeleted: boolean
  /** False when the user was found only by an identifier that an older system stored. */
  readonly isPinned: boolean
}

/** Also finds deactivated users, so that their identity cannot create a new account. */
export async function findIdentityOwner(db: Db, identity: Identity): Promise<IdentityOwner | undefined> {
  const pinned = await db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .select(['users.id', 'users.status', 'users.deleted_ms'])
    .where('identities.identity_hash', '=', hashOf(identity))
    .executeTakeFirst()
  const row = pinned ?? (await findFormerOwner(db, identity))
  if (!row) return undefined
  return {
    id: row.id,
    status: row.status,
    isDeleted: row.deleted_ms !== null,
    isPinned: pinned !== undefined,
  }
}

/** An account that already has a pinned identity is no longer found by an identifier of an older system. */
function findFormerOwner(db: Db, { provider, formerSubjects }: Identity) {
  const former = formerSubjects.filter((subject) => subject !== '')
  if (former.length === 0) return undefined
  return db
    .selectFrom('users')
    .select(['id', 'status', 'deleted_ms'])
    .where(identityColumns[provider], 'in', former)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('identities')
            .select('user_id')
            .whereRef('identities.user_id', '=', 'users.id')
            .where('identities.provider', '=', provider),
        ),
      ),
    )
    .orderBy('id')
    .executeTakeFirst()
}

/**
 * `taken`: another user has this identity. `filled`: the user has another identity of this provider. `gone`:
 * the user does not exist.
 */
export type Binding = 'bound' | 'taken' | 'filled' | 'gone'

interface BindInput {
  readonly identity: Identity
  readonly userId: number
  readonly nowMs: number
  /** Called in the same transaction when the slot was empty before. */
  readonly whenFilled?: (transaction: Transaction<Database>) => Promise<void>
}

/**
 * Binds the identity if the user has none of this provider. Binding the same identity again changes nothing.
 * The transaction must not be committed unless the result is `bound`.
 */
export async function bindIdentity(db: Db, input: BindInput): Promise<Binding> {
  try {
    return await inTransaction(db, (transaction) => bindWithin(transaction, input))
  } catch (error) {
    // Another request has just bound the same identity.
    if (isUniqueViolation(error)) return 'taken'
    throw error
  }
}

async function bindWithin(
  db: Transaction<Database>,
  { identity, userId, nowMs, whenFilled }: BindInput,
): Promise<Binding> {
  const { provider, subject, formerSubjects } = identity
  const column = identityColumns[provider]
  const user = await lockUser(db, userId)
  if (!user) return 'gone'
  const owner = await findIdentityOwner(db, identity)
  if (owner && owner.id !== userId) return 'taken'
  if (owner?.isPinned) return 'bound'
  if (!['', subject, ...formerSubjects].includes(user[column])) return 'filled'
  if ((await listBound(db, userId)).includes(provider)) return 'filled'
  if (await isShownElsewhere(db, { identity, userId })) return 'taken'
  await insertIdentity(db, { identity, userId, nowMs })
  if (user[column] !== subject)
    await db
      .updateTable('users')
      .set({ [column]: subject })
      .where('id', '=', userId)
      .execute()
  if (user[column] === '') await whenFilled?.(db)
  return 'bound'
}

/**
 * Inserts the new user together with the identity, or neither, in the given transaction or in one of its own.
 * Throws the engine's unique violation when the identity or a unique value of the user is taken.
 */
export function insertUserWithIdentity(
  db: Db,
  user: NewUser,
  { identity, nowMs }: Pick<BindInput, 'identity' | 'nowMs'>,
): Promise<number> {
  const insertBoth = async (transaction: Db): Promise<number> => {
    const userId = await insertUser(transaction, user)
    await insertIdentity(transaction, { identity, userId, nowMs })
    await transaction
      .updateTable('users')
      .set({ [identityColumns[identity.provider]]: identity.subject })
      .where('id', '=', userId)
      .execute()
    return userId
  }
  return inTransaction(db, insertBoth)
}

/**
 * Whether another account shows this subject in its provider column, from another issuer or from an older
 * system.
 */
export async function isShownElsewhere(
  db: Db,
  { identity, userId }: { identity: Identity; userId: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where(identityColumns[identity.provider], '=', identity.subject)
    .where('id', '<>', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** The ways in which a user can sign in. */
export interface SignInMethods {
  readonly hasPassword: boolean
  readonly providers: readonly IdentityProvider[]
}

/** The ways to sign in of each active super admin. */
export async function listRootSignInMethods(db: Db): Promise<readonly SignInMethods[]> {
  const rows = await db
    .selectFrom('users')
    .select(['password_hash', ...Object.values(identityColumns)])
    .where('role', '=', USER_ROLE.root)
    .where('status', '=', USER_STATUS.enabled)
    .where('deleted_ms', 'is', null)
    .execute()
  return rows.map(waysOf)
}

export type Unbinding = 'removed' | 'absent' | 'refused'

/** Removes a binding, unless `mayRemove` rejects the ways to sign in that would be left. */
export function unbindIdentity(
  db: Db,
  input: {
    userId: number
    provider: IdentityProvider
    mayRemove: (left: SignInMethods) => boolean
    /** Called in the same transaction. */
    whenRemoved?: (transaction: Transaction<Database>) => Promise<void>
  },
): Promise<Unbinding> {
  const { userId, provider, mayRemove, whenRemoved } = input
  return inTransaction(db, async (transaction) => {
    const user = await lockUser(transaction, userId)
    if (!user || user[identityColumns[provider]] === '') return 'absent'
    const ways = waysOf(user)
    const left = { ...ways, providers: ways.providers.filter((other) => other !== provider) }
    if (!mayRemove(left)) return 'refused'
    await transaction
      .deleteFrom('identities')
      .where('user_id', '=', userId)
      .where('provider', '=', provider)
      .execute()
    await transaction
      .updateTable('users')
      .set({ [identityColumns[provider]]: '' })
      .where('id', '=', userId)
      .execute()
    await whenRemoved?.(transaction)
    return 'removed'
  })
}

const providers: readonly IdentityProvider[] = ['github', 'oidc', 'linuxdo', 'wechat', 'telegram']

type WaysRow = Pick<UserTable, 'password_hash' | (typeof identityColumns)[IdentityProvider]>

function waysOf(user: WaysRow): SignInMethods {
  return {
    hasPassword: user.password_hash !== '',
    providers: providers.filter((provider) => user[identityColumns[provider]] !== ''),
  }
}

/** The highest user id so far; it is used to build new usernames. */
export async function lastUserId(db: Db): Promise<number> {
  const row = await db.selectFrom('users').select('id').orderBy('id', 'desc').executeTakeFirst()
  return row?.id ?? 0
}

/** Reads a user who is not deleted and locks the row until the transaction ends. */
function lockUser(db: Transaction<Database>, id: number) {
  return db
    .selectFrom('users')
    .select(['password_hash', ...Object.values(identityColumns)])
    .where('id', '=', id)
    .where('deleted_ms', 'is', null)
    .$if(engineOf(db) !== 'sqlite', (query) => query.forUpdate())
    .executeTakeFirst()
}

async function listBound(db: Db, userId: number): Promise<readonly string[]> {
  const rows = await db.selectFrom('identities').select('provider').where('user_id', '=', userId).execute()
  return rows.map(({ provider }) => provider)
}

async function insertIdentity(db: Db, { identity, userId, nowMs }: BindInput): Promise<void> {
  const { provider, issuer, subject } = identity
  const identity_hash = hashOf(identity)
  await db
    .deleteFrom('identities')
    .where('identity_hash', '=', identity_hash)
    // Removes identities that belonged to users who were deleted completely.
    .where('user_id', 'not in', (eb) => eb.selectFrom('users').select('id'))
    .execute()
  await db
    .insertInto('identities')
    .values({ identity_hash, provider, issuer, subject, user_id: userId, created_ms: nowMs })
    .execute()
}

function hashOf({ provider, issuer, subject }: Identity): string {
  return createHash('sha256')
    .update(JSON.stringify([provider, issuer, subject]))
    .digest('hex')
}
