import { REDEMPTION_STATUS } from '@tollgate/kit/codes'
import { sql } from 'kysely'
import type { Condition, Where } from '../database/condition.ts'
import type { Db } from '../tables/schema.ts'
import { isInserted } from '../database/insert-unless-known.ts'

export interface Claim {
  readonly id: number
  readonly userId: number
  /** The quota that was shown to the user before the claim. */
  readonly quota: bigint
  readonly nowSeconds: number
}

/** Redeems a single-use code. Returns true for exactly one caller, ever. */
export async function claimCode(db: Db, claim: Claim): Promise<boolean> {
  const result = await db
    .updateTable('redemptions')
    .set((set) => ({
      status: REDEMPTION_STATUS.used,
      redeemed_time: claim.nowSeconds,
      used_user_id: claim.userId,
      version: set('version', '+', 1),
    }))
    .where((where) => isClaimable(where, claim))
    .where('is_gift', '=', 0)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Takes one use of a gift code. Returns `had` when the user has redeemed it before. Run it in a transaction
 * that is rolled back unless the result is `claimed`.
 */
export async function claimGift(db: Db, claim: Claim): Promise<'claimed' | 'refused' | 'had'> {
  const result = await db
    .updateTable('redemptions')
    // In MySQL, later assignments see the values that earlier ones wrote.
    .set((set) => ({
      status: sql<number>`case when max_uses <> -1 and used_count + 1 >= max_uses then ${REDEMPTION_STATUS.used} else status end`,
      used_count: set('used_count', '+', 1),
      version: set('version', '+', 1),
    }))
    .where((where) => isClaimable(where, claim))
    .where('is_gift', '=', 1)
    .where((where) => where.or([where('max_uses', '=', -1), where('used_count', '<', where.ref('max_uses'))]))
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) return 'refused'
  const use = { redemption_id: claim.id, user_id: claim.userId, used_time: claim.nowSeconds }
  return (await isInserted(db.insertInto('redemption_uses').values(use).execute())) ? 'claimed' : 'had'
}

export async function hasRedeemedGift(
  db: Db,
  { id, userId }: { id: number; userId: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('redemption_uses')
    .select('id')
    .where('redemption_id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

function isClaimable(where: Where<'redemptions'>, claim: Claim): Condition {
  return where.and([
    where('id', '=', claim.id),
    where('status', '=', REDEMPTION_STATUS.unused),
    where('quota', '=', claim.quota),
    where('deleted_ms', 'is', null),
    where('valid_from', '<=', claim.nowSeconds),
    where.or([where('valid_until', '=', 0), where('valid_until', '>=', claim.nowSeconds)]),
  ])
}
