import type { LogEventOf } from '@tollgate/contract/log-event/event'
import type { redemptionRoutes } from '@tollgate/contract/redemption'
import { REDEMPTION_STATUS, USER_ROLE } from '@tollgate/kit/codes'
import { sha256Hex } from '@tollgate/kit/ids'
import { Problem, problem } from '@tollgate/problems/problem'
import { type Claim, claimCode, claimGift, hasRedeemedGift } from '@tollgate/store/trade/redemption-claims'
import { type RedemptionRow, findRedemptionByHash } from '@tollgate/store/trade/redemptions'
import type { Db } from '@tollgate/store/tables/schema'
import { type Credit, creditWork, giveNow } from '../credit/credit.ts'
import type { Handler } from '../handler.ts'
import { wireQuota } from '../wire-quota.ts'
import type { RedemptionServices } from './services.ts'
import { requireAllowed } from '../require-allowed.ts'

/**
 * The claim is written in one transaction with the work that credits it. Whatever happens afterwards, the
 * quota is credited exactly once.
 */
export function redeemCode(services: RedemptionServices): Handler<typeof redemptionRoutes.redeem> {
  return async ({ body, actor, address }) => {
    const key = body.key.trim()
    if (key === '') throw problem('redemption_key_missing')
    const row = await guessed(services, actor.id, async () => {
      const found = await findRedemptionByHash(services.store, sha256Hex(key))
      if (!found) throw problem('redemption_unknown')
      if (isOwn(found, actor)) throw await ownRefused(services, { row: found, userId: actor.id, address })
      await claim(services, { row: found, userId: actor.id, address })
      return found
    })
    return { quota: wireQuota(row.quota), is_gift: row.is_gift === 1 }
  }
}

/**
 * Administrators may not change their own quota, so they cannot redeem a code that they created either; the
 * super admin may.
 */
function isOwn(row: RedemptionRow, { id, role }: { readonly id: number; readonly role: number }): boolean {
  return row.user_id === id && role < USER_ROLE.root
}

async function ownRefused(
  { audit }: RedemptionServices,
  { row, userId, address }: Redeeming,
): Promise<Problem> {
  const { id, name, quota } = row
  const by = { actor: { id: userId }, address }
  await audit(by, { action: 'refuse', entity: 'redemption', entityId: id, after: { name, quota } })
  return problem('redemption_own')
}

/** Failed attempts count against the user: after a few of them, codes are not looked up for a while. */
async function guessed<Result>(
  { redeemFailures }: RedemptionServices,
  userId: number,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const key = String(userId)
  requireAllowed(await redeemFailures.consume(key))
  try {
    const result = await attempt()
    await redeemFailures.refund(key)
    return result
  } catch (error) {
    if (!(error instanceof Problem)) await redeemFailures.refund(key)
    throw error
  }
}

interface Redeeming {
  readonly row: RedemptionRow
  readonly userId: number
  readonly address: string
}

async function claim(services: RedemptionServices, redeeming: Redeeming): Promise<void> {
  const { store, options, outbox, clock } = services
  const { row, userId } = redeeming
  const nowSeconds = Math.floor(clock.nowMs() / 1000)
  if (row.is_gift === 1 && (await hasRedeemedGift(store, { id: row.id, userId })))
    throw problem('redemption_gift_had')
  refuseDates(row, nowSeconds)
  const work = creditWork(options, creditOf(redeeming))
  await store.transaction().execute(async (transaction) => {
    await take(transaction, row, { id: row.id, userId, quota: row.quota, nowSeconds })
    await outbox.add(work, transaction)
  })
  await giveNow(services, work)
}

async function take(db: Db, row: RedemptionRow, asked: Claim): Promise<void> {
  if (row.is_gift === 0) {
    if (!(await claimCode(db, asked))) throw refusal(row)
    return
  }
  const result = await claimGift(db, asked)
  if (result === 'had') throw problem('redemption_gift_had')
  if (result === 'refused') throw refusal(row)
}

/**
 * Derives the reason from the row as it was read. If the row looked redeemable, another user has redeemed it
 * in between.
 */
function refusal({ status, is_gift }: RedemptionRow): Problem {
  if (status === REDEMPTION_STATUS.disabled) return problem('redemption_disabled')
  return problem(is_gift === 1 ? 'redemption_gift_gone' : 'redemption_used')
}

function refuseDates({ valid_from, valid_until }: RedemptionRow, nowSeconds: number): void {
  if (valid_from > nowSeconds) throw problem('redemption_too_early')
  if (valid_until > 0 && valid_until < nowSeconds) throw problem('redemption_expired')
}

function creditOf({ row, userId, address }: Redeeming): Omit<Credit, 'rebatePercent'> {
  const isGift = row.is_gift === 1
  return {
    key: isGift ? `gift:${row.id}:${userId}` : `redeem:${row.id}`,
    userId,
    units: String(row.quota),
    note: isGift ? 'gift code' : 'code',
    other: {
      event: isGift ? 'redeem_gift' : 'redeem',
      quota: wireQuota(row.quota),
      code_id: row.id,
    } satisfies LogEventOf<'redeem' | 'redeem_gift'>,
    address,
  }
}
