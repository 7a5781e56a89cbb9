import type { accountRoutes } from '@tollgate/contract/account'
import { LOG_TYPE } from '@tollgate/contract/log'
import { problem } from '@tollgate/kit/problem'
import { accountId } from '@tollgate/ledger/ledger'
import { listCreditsByKey } from '@tollgate/store/balances'
import { noteCheckIn } from '@tollgate/store/users'
import { amountText } from '../amount-text.ts'
import { Answer, type Handler } from '../handler.ts'
import { writeLog } from '../log/write.ts'
import { wireQuota } from '../wire-quota.ts'
import type { AccountServices } from './services.ts'

const DAYS_OF_A_MONTH_MAX = 31

/**
 * The daily reward. The ledger decides that it was the first of the day: its key has the day in it. The amount is drawn
 * from that key too, so that two calls at once are one and the same credit.
 */
export function checkIn(services: AccountServices): Handler<typeof accountRoutes.checkIn> {
  const { options, ledger, lots, store, clock } = services
  return async ({ actor, address, language }) => {
    if (!options.get('CheckInEnabled')) throw problem('check_in_closed')
    const range = rewardRange(services)
    if (range.min <= 0) throw problem('check_in_misconfigured')
    const key = checkInKey(actor.id, dayOf(clock.nowMs()))
    if (await hasCredit(services, { userId: actor.id, key })) throw problem('check_in_done')
    const quota = lots.draw(key, range)
    const account = accountId('user', actor.id)
    const result = await ledger.credit({ key, account, amount: BigInt(quota), note: 'check-in' })
    if (result.type === 'conflict' || result.repeated) throw problem('check_in_done')
    await noteCheckIn(store, { id: actor.id, nowMs: clock.nowMs() })
    await writeLog(services, {
      key,
      userId: actor.id,
      type: LOG_TYPE.checkIn,
      content: `签到奖励 ${amountText(options, BigInt(quota))}`,
      other: { event: 'check_in', quota },
      address,
    })
    return new Answer({ data: { quota }, message: language === 'zh' ? '签到成功' : 'Checked in' })
  }
}

export function getCheckInStatus(services: AccountServices): Handler<typeof accountRoutes.checkInStatus> {
  return async ({ actor }) => {
    const day = dayOf(services.clock.nowMs())
    const { min, max } = rewardRange(services)
    return { can_check_in: await canCheckIn(services, actor.id), day, quota_min: min, quota_max: max }
  }
}

/** The days come from the ledger: what is shown there was credited. */
export function getCheckInCalendar(services: AccountServices): Handler<typeof accountRoutes.checkInCalendar> {
  return async ({ actor, query }) => {
    const today = dayOf(services.clock.nowMs())
    const month = query.month ?? today.slice(0, 'YYYY-MM'.length)
    const credits = await listCreditsByKey(services.store, {
      account: accountId('user', actor.id),
      keyStart: `${checkInKey(actor.id, month)}-`,
      limit: DAYS_OF_A_MONTH_MAX,
    })
    return {
      month,
      today,
      can_check_in: await canCheckIn(services, actor.id),
      days: credits.map(({ op_key: key, amount }) => ({
        day: key.slice(-'YYYY-MM-DD'.length),
        quota: wireQuota(amount),
      })),
    }
  }
}

async function canCheckIn(services: AccountServices, userId: number): Promise<boolean> {
  if (!services.options.get('CheckInEnabled') || rewardRange(services).min <= 0) return false
  const key = checkInKey(userId, dayOf(services.clock.nowMs()))
  return !(await hasCredit(services, { userId, key }))
}

async function hasCredit(
  { store }: AccountServices,
  { userId, key }: { userId: number; key: string },
): Promise<boolean> {
  const account = accountId('user', userId)
  return (await listCreditsByKey(store, { account, keyStart: key, limit: 1 })).length > 0
}

function rewardRange({ options }: AccountServices): { min: number; max: number } {
  const min = options.get('CheckInQuota')
  return { min, max: Math.max(min, options.get('CheckInMaxQuota')) }
}

function checkInKey(userId: number, day: string): string {
  return `checkin:${userId}:${day}`
}

/** The day in UTC, wherever the server stands. */
function dayOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 'YYYY-MM-DD'.length)
}
