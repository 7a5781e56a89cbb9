import { USER_ROLE, USER_STATUS } from '@tollgate/kit/codes'
import type { Db } from '../tables/schema.ts'
import { normalEmail, usernameKey } from './user-normalization.ts'

/** A user as the console shows them; never the password hash. */
export type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>

/** Only the fields that access checks need. */
export type UserIdentityRow = NonNullable<Awaited<ReturnType<typeof findUserByAccessToken>>>

/** User columns that the console shows. */
const shownColumns = [
  'id',
  'username',
  'display_name',
  'role',
  'status',
  'email',
  'github_id',
  'oidc_id',
  'wechat_id',
  'telegram_id',
  'linux_do_id',
  'group_name',
  'aff_code',
  'aff_count',
  'inviter_id',
  'setting',
  'last_check_in_ms',
] as const

export function findUser(db: Db, id: number) {
  return selectShown(db).where('id', '=', id).where('deleted_ms', 'is', null).executeTakeFirst()
}

/** Users with the columns that the console shows, and whether they have a password and an access token. */
export function selectShown(db: Db) {
  return db
    .selectFrom('users')
    .select(shownColumns)
    .select((eb) => eb('access_token_hash', 'is not', null).as('has_access_token'))
    .select((eb) => eb('password_hash', '<>', '').as('has_password'))
    .select('has_default_password')
}

export function findUserByAccessToken(db: Db, tokenHash: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'role', 'status', 'group_name', 'has_default_password'])
    .where('access_token_hash', '=', tokenHash)
    .where('deleted_ms', 'is', null)
    .executeTakeFirst()
}

/**
 * Finds a user by username or, when the text has an @, first by e-mail address. Imported usernames may look
 * like an address.
 */
export async function findUserForSignIn(db: Db, name: string) {
  if (!name.includes('@')) return findBy(db, { column: 'username_key', value: usernameKey(name) })
  const owner = await findBy(db, { column: 'email', value: normalEmail(name) })
  return owner ?? findBy(db, { column: 'username_key', value: usernameKey(name) })
}

function findBy(db: Db, { column, value }: { column: 'email' | 'username_key'; value: string }) {
  return db
    .selectFrom('users')
    .select(['id', 'status', 'password_hash'])
    .where(column, '=', value)
    .where('deleted_ms', 'is', null)
    .orderBy('id')
    .executeTakeFirst()
}

/** The one account that an address belongs to, even if it is deactivated. */
export async function findUserByEmail(
  db: Db,
  email: string,
): Promise<{ readonly id: number; readonly isDeleted: boolean } | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'deleted_ms'])
    .where('email', '=', normalEmail(email))
    .executeTakeFirst()
  return row && { id: row.id, isDeleted: row.deleted_ms !== null }
}

export function findPasswordHash(db: Db, id: number) {
  return db
    .selectFrom('users')
    .select(['username', 'password_hash', 'has_default_password'])
    .where('id', '=', id)
    .where('deleted_ms', 'is', null)
    .executeTakeFirst()
}

/** Usernames by id, including deactivated users. */
export async function usernames(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}

/** Also finds a deactivated user. */
export async function userIdNamed(db: Db, username: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey(username))
    .executeTakeFirst()
  return row?.id
}

/** Number of calls of a user, from the totals. The totals follow the ledger with a delay. */
export async function countUserCalls(db: Db, id: number): Promise<number> {
  const row = await db
    .selectFrom('totals')
    .select('calls')
    .where('subject', '=', `user:${id}`)
    .executeTakeFirst()
  return row?.calls ?? 0
}

export async function hasRootUser(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', USER_ROLE.root)
    .where('deleted_ms', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** The first super admin who is not deleted. This user receives messages about the site. */
export async function firstRootId(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', USER_ROLE.root)
    .where('status', '=', USER_STATUS.enabled)
    .where('deleted_ms', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Deleted users count too, because a name is never given out again. */
export async function isUsernameTaken(db: Db, username: string): Promise<boolean> {
  return (await userIdNamed(db, username)) !== undefined
}

/** Deleted users count too, because an address stays with its account. */
export async function isEmailTaken(db: Db, email: string): Promise<boolean> {
  return (await findUserByEmail(db, email)) !== undefined
}

export async function findInviter(db: Db, affCode: string): Promise<number | undefined> {
  if (affCode === '') return undefined
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('aff_code', '=', affCode)
    .where('status', '=', USER_STATUS.enabled)
    .where('deleted_ms', 'is', null)
    .executeTakeFirst()
  return row?.id
}
