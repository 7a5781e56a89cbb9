import { USER_ROLE } from '@tollgate/kit/codes'
import { type Selectable, sql } from 'kysely'
import type { Condition, Where } from '../database/condition.ts'
import type { Page } from '../database/page.ts'
import type { Db } from '../tables/schema.ts'
import type { UserTable } from '../tables/accounts.ts'
import { containsPattern } from '../database/traits.ts'
import { followsFrom } from './user-changes.ts'
import { selectShown } from './users.ts'
import { countFound } from '../database/count-found.ts'

/** Users as an administrator sees them, including deactivated ones, never with the password hash. */
export type ManagedUserRow = NonNullable<Awaited<ReturnType<typeof findManagedUser>>>

export interface UserFilter {
  /** Part of the username, the display name or the e-mail address, or the exact id. */
  readonly keyword?: string | undefined
  readonly group?: string | undefined
  readonly role?: number | undefined
  readonly status?: number | undefined
  /** True: only deactivated users. False: only users who are not deactivated. */
  readonly isDeactivated?: boolean | undefined
  readonly beforeId?: number | undefined
}

/** Newest first. */
export function listManagedUsers(db: Db, filter: UserFilter, page: Page) {
  return selectUsers(db)
    .where((where) => matches(where, filter))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

export function countManagedUsers(db: Db, filter: UserFilter): Promise<number> {
  return countFound(db.selectFrom('users').where((where) => matches(where, filter)))
}

export function findManagedUser(db: Db, id: number) {
  return selectUsers(db).where('id', '=', id).executeTakeFirst()
}

export function countLiveRoots(db: Db): Promise<number> {
  return countFound(db.selectFrom('users').where('role', '=', USER_ROLE.root).where('deleted_ms', 'is', null))
}

export type ManagedChange = Partial<
  Pick<
    Selectable<UserTable>,
    | 'username'
    | 'display_name'
    | 'password_hash'
    | 'group_name'
    | 'remark'
    | 'role'
    | 'status'
    | 'deleted_ms'
    | 'access_token_hash'
  >
>

export interface ManagedUpdate {
  readonly id: number
  /**
   * The values on which the decision was based. A user whose role or status is different by now is not
   * changed.
   */
  readonly seen: { readonly role: number; readonly status: number }
  readonly change: ManagedChange
}

/**
 * Returns false when the user is gone, deactivated, or no longer as in `seen`. Throws the engine's unique
 * violation when the name is taken.
 */
export async function updateManagedUser(db: Db, { id, seen, change }: ManagedUpdate): Promise<boolean> {
  const result = await db
    .updateTable('users')
    // A found row counts as a changed row: some engines count only changed ones.
    .set({ ...change, ...followsFrom(change), role: change.role ?? seen.role })
    .where('id', '=', id)
    .where('role', '=', seen.role)
    .where('status', '=', seen.status)
    .where('deleted_ms', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Time at which each of these users was last active in a session that has not expired. */
export async function lastSeenOf(
  db: Db,
  { ids, nowMs }: { ids: readonly number[]; nowMs: number },
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('sessions')
    .select(['user_id', (select) => select.fn.max('seen_ms').as('seen_ms')])
    .where('user_id', 'in', [...ids])
    .where('expires_ms', '>', nowMs)
    .groupBy('user_id')
    .execute()
  return new Map(rows.map((row) => [row.user_id, row.seen_ms]))
}

/** Number of calls of each of these users, from the totals. The totals follow the ledger with a delay. */
export async function callsOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('totals')
    .select(['subject', 'calls'])
    .where(
      'subject',
      'in',
      ids.map((id) => `user:${id}`),
    )
    .execute()
  return new Map(rows.map((row) => [Number(row.subject.slice('user:'.length)), row.calls]))
}

function selectUsers(db: Db) {
  return selectShown(db).select(['created_ms', 'deleted_ms', 'remark'])
}

function matches(where: Where<'users'>, filter: UserFilter): Condition {
  const all: Condition[] = []
  if (filter.keyword !== undefined) all.push(named(where, filter.keyword))
  if (filter.group !== undefined) all.push(where('group_name', '=', filter.group))
  if (filter.role !== undefined) all.push(where('role', '=', filter.role))
  if (filter.status !== undefined) all.push(where('status', '=', filter.status))
  if (filter.isDeactivated === true) all.push(where('deleted_ms', 'is not', null))
  if (filter.isDeactivated === false) all.push(where('deleted_ms', 'is', null))
  if (filter.beforeId !== undefined) all.push(where('id', '<', filter.beforeId))
  return where.and(all)
}

function named(where: Where<'users'>, keyword: string): Condition {
  const pattern = containsPattern(keyword)
  const tests: Condition[] = (['username', 'display_name', 'email'] as const).map(
    (column) => sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '!'`,
  )
  if (/^\d{1,15}$/.test(keyword)) tests.push(where('id', '=', Number(keyword)))
  return where.or(tests)
}

/** Ids of those users who are deleted. */
export async function deletedAmong(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_ms', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Ids of users who were deleted after `afterMs` and not later than `untilMs`. */
export async function deletedBetween(
  db: Db,
  { afterMs, untilMs }: { readonly afterMs: number; readonly untilMs: number },
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('deleted_ms', '>', afterMs)
    .where('deleted_ms', '<=', untilMs)
    .execute()
  return rows.map(({ id }) => id)
}
