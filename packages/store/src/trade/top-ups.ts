import type { Insertable } from 'kysely'
import type { Condition, Where } from '../database/condition.ts'
import { insertedId } from '../database/inserted-id.ts'
import type { Page } from '../database/page.ts'
import type { Db } from '../tables/schema.ts'
import type { TopUpTable } from '../tables/trade.ts'
import { isUniqueViolation } from '../database/traits.ts'
import { countFound } from '../database/count-found.ts'

export type TopUpRow = NonNullable<Awaited<ReturnType<typeof findTopUp>>>

export interface TopUpFilter {
  readonly userId?: number | undefined
  readonly tradeNo?: string | undefined
  readonly status?: TopUpTable['status'] | undefined
  readonly beforeId?: number | undefined
}

export type NewTopUp = Omit<Insertable<TopUpTable>, 'id' | 'status' | 'provider_trade_no' | 'complete_time'>

export function insertTopUp(db: Db, order: NewTopUp): Promise<number> {
  const insert = db
    .insertInto('top_ups')
    .values({ ...order, status: 'pending', provider_trade_no: null, complete_time: 0 })
  return insertedId(db, { insert, returning: insert.returning('id') })
}

export function findTopUp(db: Db, tradeNo: string) {
  return selectTopUps(db).where('top_ups.trade_no', '=', tradeNo).executeTakeFirst()
}

/** Newest first. */
export function listTopUps(db: Db, filter: TopUpFilter, page: Page) {
  return selectTopUps(db)
    .where((where) => matches(where, filter))
    .orderBy('top_ups.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

export function countTopUps(db: Db, filter: TopUpFilter): Promise<number> {
  return countFound(db.selectFrom('top_ups').where((where) => matches(where, filter)))
}

export interface Payment {
  readonly id: number
  /** `undefined` when the payment gateway sent none. */
  readonly providerTradeNo: string | undefined
  readonly nowSeconds: number
}

/**
 * Marks an order as paid. Returns true for exactly one caller, ever. An order that was closed because no
 * payment came is still marked as paid when the payment arrives. Returns `taken` when the same payment has
 * already paid another order.
 */
export async function markPaid(db: Db, payment: Payment): Promise<boolean | 'taken'> {
  try {
    const result = await db
      .updateTable('top_ups')
      .set({
        status: 'success',
        provider_trade_no: payment.providerTradeNo ?? null,
        complete_time: payment.nowSeconds,
      })
      .where('id', '=', payment.id)
      .where('status', 'in', ['pending', 'closed'])
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  } catch (error) {
    if (isUniqueViolation(error)) return 'taken'
    throw error
  }
}

/** Closes orders that were not paid in time. */
export async function closeTopUps(db: Db, beforeSeconds: number): Promise<void> {
  await db
    .updateTable('top_ups')
    .set({ status: 'closed' })
    .where('status', '=', 'pending')
    .where('create_time', '<', beforeSeconds)
    .execute()
}

function selectTopUps(db: Db) {
  return db
    .selectFrom('top_ups')
    .leftJoin('users', 'users.id', 'top_ups.user_id')
    .select([
      'top_ups.id',
      'top_ups.user_id',
      'users.username',
      'top_ups.trade_no',
      'top_ups.gateway',
      'top_ups.method',
      'top_ups.quota',
      'top_ups.money',
      'top_ups.currency',
      'top_ups.status',
      'top_ups.provider_trade_no',
      'top_ups.create_time',
      'top_ups.complete_time',
    ])
}

function matches(where: Where<'top_ups'>, filter: TopUpFilter): Condition {
  const all: Condition[] = []
  if (filter.userId !== undefined) all.push(where('top_ups.user_id', '=', filter.userId))
  if (filter.tradeNo !== undefined) all.push(where('top_ups.trade_no', '=', filter.tradeNo))
  if (filter.status !== undefined) all.push(where('top_ups.status', '=', filter.status))
  if (filter.beforeId !== undefined) all.push(where('top_ups.id', '<', filter.beforeId))
  return where.and(all)
}
