import { USER_STATUS } from '@tollgate/kit/codes'
import { type Insertable, sql } from 'kysely'
import { insertedId } from '../database/inserted-id.ts'
import type { Db } from '../tables/schema.ts'
import type { UserTable } from '../tables/accounts.ts'
import { normalEmail, usernameKey } from './user-normalization.ts'

export type NewUser = Pick<
  Insertable<UserTable>,
  'username' | 'password_hash' | 'display_name' | 'role' | 'created_ms'
> &
  Partial<Pick<Insertable<UserTable>, 'aff_code' | 'inviter_id' | 'email'>>

/** Throws the engine's unique violation when the name is taken. */
export function insertUser(db: Db, user: NewUser): Promise<number> {
  const insert = db
    .insertInto('users')
    .values({ ...emptyUser, ...user, username_key: usernameKey(user.username) })
  return insertedId(db, { insert, returning: insert.returning('id') })
}

const emptyUser = {
  status: USER_STATUS.enabled,
  email: '',
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  access_token_hash: null,
  group_name: 'default',
  aff_code: '',
  aff_count: 0,
  inviter_id: 0,
  setting: '',
  last_check_in_ms: null,
  deleted_ms: null,
} as const

export type UserChange = Partial<
  Pick<UserTable, 'username' | 'display_name' | 'password_hash' | 'access_token_hash'>
>

/** Updates the given columns. Throws the engine's unique violation when a new name is taken. */
export async function updateUser(db: Db, { id, change }: { id: number; change: UserChange }): Promise<void> {
  if (Object.keys(change).length === 0) return
  await db
    .updateTable('users')
    .set({ ...change, ...followsFrom(change) })
    .where('id', '=', id)
    .where('deleted_ms', 'is', null)
    .execute()
}

/** Columns that have to change together with the name or the password. */
export function followsFrom(change: UserChange): Partial<Pick<UserTable, 'username_key'>> & {
  has_default_password?: 0
} {
  return {
    ...(change.username !== undefined && { username_key: usernameKey(change.username) }),
    ...(change.password_hash !== undefined && { has_default_password: 0 }),
  }
}

/** Records that this account has a publicly known default password. */
export async function markDefaultPassword(db: Db, id: number): Promise<void> {
  await db.updateTable('users').set({ has_default_password: 1 }).where('id', '=', id).execute()
}

export async function setAccessTokenHash(
  db: Db,
  { id, hash }: { id: number; hash: string | null },
): Promise<void> {
  await db.updateTable('users').set({ access_token_hash: hash }).where('id', '=', id).execute()
}

/** Throws the engine's unique violation when another user has the address. */
export async function setEmail(db: Db, { id, email }: { id: number; email: string }): Promise<void> {
  await db
    .updateTable('users')
    .set({ email: normalEmail(email) })
    .where('id', '=', id)
    .where('deleted_ms', 'is', null)
    .execute()
}

/** Returns the user's invitation code. A user without one gets `code`. */
export async function setAffCode(db: Db, { id, code }: { id: number; code: string }): Promise<string> {
  await db
    .updateTable('users')
    .set({ aff_code: code })
    .where('id', '=', id)
    .where('aff_code', '=', '')
    .execute()
  const row = await db.selectFrom('users').select('aff_code').where('id', '=', id).executeTakeFirst()
  return row?.aff_code ?? ''
}

/** Stores the time of the last check-in for lists. The ledger has the authoritative record. */
export async function noteCheckIn(db: Db, { id, nowMs }: { id: number; nowMs: number }): Promise<void> {
  await db.updateTable('users').set({ last_check_in_ms: nowMs }).where('id', '=', id).execute()
}

export async function setSetting(db: Db, { id, setting }: { id: number; setting: string }): Promise<void> {
  await db.updateTable('users').set({ setting }).where('id', '=', id).execute()
}

export async function countInvited(db: Db, inviterId: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ aff_count: sql<number>`aff_count + 1` })
    .where('id', '=', inviterId)
    .execute()
}
