import { REDEMPTION_STATUS } from '@tollgate/kit/codes'
import { type Insertable, type Updateable, sql } from 'kysely'
import type { Condition, Where } from '../database/condition.ts'
import type { Page } from '../database/page.ts'
import type { Db } from '../tables/schema.ts'
import type { RedemptionTable } from '../tables/trade.ts'
import { literalPattern } from '../database/traits.ts'
import { countFound } from '../database/count-found.ts'
import { isInserted } from '../database/insert-unless-known.ts'

/** Codes that credit quota. A deleted code keeps its row, so that its key is never issued again. */
export type RedemptionRow = NonNullable<Awaited<ReturnType<typeof findRedemption>>>

export interface RedemptionFilter {
  /** Prefix of the name, in any case; a number also matches the id. */
  readonly term?: string | undefined
  /** Hash of a code that is found in addition to the codes found by `term`. */
  readonly keyHash?: string | undefined
  readonly status?: number | undefined
  /** Of the unused codes only those whose end has passed (`true`) or has not (`false`) at this moment. */
  readonly end?: { readonly isPast: boolean; readonly nowSeconds: number } | undefined
}

/** Newest first. */
export function listRedemptions(db: Db, filter: RedemptionFilter, page: Page): Promise<RedemptionRow[]> {
  const ids = db
    .selectFrom('redemptions')
    .select('redemptions.id')
    .where((where) => matches(where, filter))
    .orderBy('redemptions.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .as('page')
  return selectRedemptions(db)
    .innerJoin(ids, 'page.id', 'redemptions.id')
    .orderBy('redemptions.id', 'desc')
    .execute()
}

export function countRedemptions(db: Db, filter: RedemptionFilter): Promise<number> {
  return countFound(db.selectFrom('redemptions').where((where) => matches(where, filter)))
}

export function findRedemption(db: Db, id: number) {
  return selectRedemptions(db)
    .where('redemptions.id', '=', id)
    .where('redemptions.deleted_ms', 'is', null)
    .executeTakeFirst()
}

export function findRedemptionByHash(db: Db, keyHash: string) {
  return selectRedemptions(db)
    .where('redemptions.key_hash', '=', keyHash)
    .where('redemptions.deleted_ms', 'is', null)
    .executeTakeFirst()
}

export type NewRedemption = Omit<
  Insertable<RedemptionTable>,
  'id' | 'status' | 'redeemed_time' | 'used_user_id' | 'used_count' | 'version' | 'deleted_ms'
>

/**
 * Returns false when one of the keys was issued before, even by a code that is deleted. The caller must then
 * roll back.
 */
export async function insertRedemptions(db: Db, codes: readonly NewRedemption[]): Promise<boolean> {
  const fresh = {
    status: REDEMPTION_STATUS.unused,
    redeemed_time: 0,
    used_user_id: 0,
    used_count: 0,
    version: 1,
    deleted_ms: null,
  }
  const rows = codes.map((code) => ({ ...fresh, ...code }))
  return isInserted(db.insertInto('redemptions').values(rows).execute())
}

export type RedemptionChange = Pick<
  Updateable<RedemptionTable>,
  'name' | 'quota' | 'valid_from' | 'valid_until' | 'status'
>

/** Returns false when the code's version has changed, or when it has been redeemed. */
export async function updateRedemption(
  db: Db,
  input: { id: number; version: number; change: RedemptionChange },
): Promise<boolean> {
  const result = await db
    .updateTable('redemptions')
    .set({ ...input.change, version: input.version + 1 })
    .where('id', '=', input.id)
    .where('version', '=', input.version)
    .where('status', '!=', REDEMPTION_STATUS.used)
    .where('deleted_ms', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Disables unused codes and returns how many. Used codes stay unchanged. */
export async function disableRedemptions(db: Db, ids: readonly number[]): Promise<number> {
  const result = await db
    .updateTable('redemptions')
    .set((set) => ({ status: REDEMPTION_STATUS.disabled, version: set('version', '+', 1) }))
    .where('id', 'in', [...ids])
    .where('status', '=', REDEMPTION_STATUS.unused)
    .where('deleted_ms', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/**
 * Sets the status of codes that are not used. Returns all of the given codes that are not deleted, with their
 * new status.
 */
export async function setRedemptionStatus(
  db: Db,
  { ids, status }: { ids: readonly number[]; status: number },
) {
  await db
    .updateTable('redemptions')
    .set((set) => ({ status, version: set('version', '+', 1) }))
    .where('id', 'in', [...ids])
    .where('status', 'not in', [REDEMPTION_STATUS.used, status])
    .where('deleted_ms', 'is', null)
    .execute()
  return db
    .selectFrom('redemptions')
    .select(['id', 'name', 'status'])
    .where('id', 'in', [...ids])
    .where('deleted_ms', 'is', null)
    .execute()
}

/**
 * The codes to delete: one, all disabled ones, all that can no longer be redeemed, or all with a name that
 * nobody has redeemed.
 */
export type RemovalCriteria =
  | { readonly type: 'one'; readonly id: number }
  | { readonly type: 'disabled' }
  | { readonly type: 'invalid'; readonly nowSeconds: number }
  | { readonly type: 'named'; readonly name: string }

export async function removeRedemptions(db: Db, which: RemovalCriteria, nowMs: number): Promise<number> {
  const result = await db
    .updateTable('redemptions')
    .set({ deleted_ms: nowMs })
    .where('redemptions.deleted_ms', 'is', null)
    .where((where) => isDoomed(where, which))
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** With `isRemovable`, counts only the codes that {@link removeRedemptions} would delete for this name. */
export function countRedemptionsByName(
  db: Db,
  { name, isRemovable }: { name: string; isRemovable: boolean },
): Promise<number> {
  const named = db
    .selectFrom('redemptions')
    .where('deleted_ms', 'is', null)
    .where((where) => (isRemovable ? isDoomed(where, { type: 'named', name }) : where('name', '=', name)))
  return countFound(named)
}

function isDoomed(where: Where<'redemptions'>, which: RemovalCriteria): Condition {
  if (which.type === 'one') return where('redemptions.id', '=', which.id)
  if (which.type === 'disabled') return where('redemptions.status', '=', REDEMPTION_STATUS.disabled)
  if (which.type === 'invalid')
    return where.or([
      where('redemptions.status', 'in', [REDEMPTION_STATUS.disabled, REDEMPTION_STATUS.used]),
      where.and([
        where('redemptions.valid_until', '!=', 0),
        where('redemptions.valid_until', '<', which.nowSeconds),
      ]),
    ])
  return where.and([
    where('redemptions.name', '=', which.name),
    where('redemptions.status', '!=', REDEMPTION_STATUS.used),
    where('redemptions.used_count', '=', 0),
  ])
}

function matches(where: Where<'redemptions'>, { term, keyHash, status, end }: RedemptionFilter): Condition {
  const all: Condition[] = [where('redemptions.deleted_ms', 'is', null)]
  if (status !== undefined) all.push(where('redemptions.status', '=', status))
  if (end !== undefined) all.push(hasEnded(where, end))
  if (term !== undefined)
    all.push(where.or([nameBegins(term), ...hasId(where, term), ...hasHash(where, keyHash)]))
  return where.and(all)
}

function hasEnded(
  where: Where<'redemptions'>,
  { isPast, nowSeconds }: NonNullable<RedemptionFilter['end']>,
): Condition {
  if (isPast)
    return where.and([
      where('redemptions.valid_until', '!=', 0),
      where('redemptions.valid_until', '<', nowSeconds),
    ])
  return where.or([
    where('redemptions.valid_until', '=', 0),
    where('redemptions.valid_until', '>=', nowSeconds),
  ])
}

function nameBegins(term: string): Condition {
  return sql<boolean>`lower(redemptions.name) like lower(${`${literalPattern(term)}%`}) escape '!'`
}

function hasId(where: Where<'redemptions'>, term: string): Condition[] {
  return /^\d{1,15}$/.test(term) ? [where('redemptions.id', '=', Number(term))] : []
}

function hasHash(where: Where<'redemptions'>, keyHash: string | undefined): Condition[] {
  return keyHash === undefined ? [] : [where('redemptions.key_hash', '=', keyHash)]
}

function selectRedemptions(db: Db) {
  return db
    .selectFrom('redemptions')
    .leftJoin('users', 'users.id', 'redemptions.used_user_id')
    .select([
      'redemptions.id',
      'redemptions.user_id',
      'redemptions.key_hash',
      'redemptions.key_sealed',
      'redemptions.status',
      'redemptions.name',
      'redemptions.quota',
      'redemptions.created_time',
      'redemptions.redeemed_time',
      'redemptions.valid_from',
      'redemptions.valid_until',
      'redemptions.used_user_id',
      'redemptions.is_gift',
      'redemptions.max_uses',
      'redemptions.used_count',
      'redemptions.version',
      'users.username as used_username',
    ])
}
