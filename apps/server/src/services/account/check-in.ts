import type { accountRoutes } from '@tollgate/contract/account'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { formatLocalDay, listNeighbourDays } from '@tollgate/kit/local-day'
import { type Language, problem } from '@tollgate/problems/problem'
import { accountId } from '@tollgate/ledger/account'
import { type CreditSum, listCreditsByKey, sumCreditsByKey } from '@tollgate/store/trade/balances'
import { noteCheckIn } from '@tollgate/store/accounts/user-changes'
import { Answer, type Handler } from '../handler.ts'
import { writeLog } from '../log/write.ts'
import { wireQuota } from '../wire-quota.ts'
import type { AccountServices } from './services.ts'

const DAYS_OF_A_MONTH_MAX = 31

export function checkIn(services: AccountServices): Handler<typeof accountRoutes.checkIn> {
  return async ({ actor, address, language }) => {
    const { quota } = await creditReward(services, { userId: actor.id, address })
    return new Answer({ data: { quota }, message: checkedInText(language) })
  }
}

export function checkedInText(language: Language): string {
  return language === 'zh' ? '签到成功' : 'Checked in'
}

/** After a change of the site's zone, or around midnight, two days may be closer than people mean by a day. */
const SPACING_MS = 20 * 3_600_000

/**
 * Credits the daily reward. The ledger ensures that it is credited once a day of the site, because the day is part of
 * the key, and not within 20 hours after the last one. The random amount is derived from the same key, so that two simultaneous calls are one and the same
 * credit.
 */
export async function creditReward(
  services: AccountServices,
  { userId, address }: { userId: number; address: string },
): Promise<{ quota: number; day: string }> {
  const { options, ledger, seededRandom, store, clock } = services
  if (!options.get('CheckInEnabled')) throw problem('check_in_closed')
  const range = rewardRange(services)
  if (range.min <= 0) throw problem('check_in_misconfigured')
  const day = formatLocalDay(clock.nowMs())
  const key = checkInKey(userId, day)
  if (await hasCredit(services, { userId, key })) throw problem('check_in_done')
  const quota = seededRandom.draw(key, range)
  const account = accountId('user', userId)
  const spacing = {
    keys: listNeighbourDays(day).map((near) => checkInKey(userId, near)),
    spacingMs: SPACING_MS,
  }
  const result = await ledger.credit({ key, account, amount: BigInt(quota), note: 'check-in', spacing })
  if (result.type === 'conflict' || result.repeated) throw problem('check_in_done')
  await noteCheckIn(store, { id: userId, nowMs: clock.nowMs() })
  await writeLog(services, {
    key,
    userId,
    type: LOG_TYPE.checkIn,
    event: { event: 'check_in', quota },
    address,
  })
  return { quota, day }
}

export function getCheckInStatus(services: AccountServices): Handler<typeof accountRoutes.checkInStatus> {
  return async ({ actor }) => {
    const day = formatLocalDay(services.clock.nowMs())
    const { min, max } = rewardRange(services)
    return { can_check_in: await canCheckIn(services, actor.id), day, quota_min: min, quota_max: max }
  }
}

export function getCheckInCalendar(services: AccountServices): Handler<typeof accountRoutes.checkInCalendar> {
  return async ({ actor, query }) => {
    const today = formatLocalDay(services.clock.nowMs())
    const month = query.month ?? monthOf(today)
    const days = await rewardsOf(services, { userId: actor.id, month })
    return { month, today, can_check_in: await canCheckIn(services, actor.id), days }
  }
}

/** Rewards of a month by day, read from the ledger: a reward that is shown was credited. */
export async function rewardsOf(
  { store }: AccountServices,
  { userId, month }: { userId: number; month: string },
): Promise<{ day: string; quota: number }[]> {
  const credits = await listCreditsByKey(store, {
    account: accountId('user', userId),
    keyStart: `${checkInKey(userId, month)}-`,
    limit: DAYS_OF_A_MONTH_MAX,
  })
  return credits.map(({ op_key: key, amount }) => ({
    day: key.slice(-'YYYY-MM-DD'.length),
    quota: wireQuota(amount),
  }))
}

/** Total and number of all check-in rewards of a user. */
export function sumRewards({ store }: AccountServices, userId: number): Promise<CreditSum> {
  return sumCreditsByKey(store, { account: accountId('user', userId), keyStart: checkInKey(userId, '') })
}

async function canCheckIn(services: AccountServices, userId: number): Promise<boolean> {
  if (!services.options.get('CheckInEnabled') || rewardRange(services).min <= 0) return false
  const nowMs = services.clock.nowMs()
  const day = formatLocalDay(nowMs)
  if (await hasCredit(services, { userId, key: checkInKey(userId, day) })) return false
  for (const near of listNeighbourDays(day)) {
    const [credit] = await listCheckIn(services, { userId, key: checkInKey(userId, near) })
    if (credit !== undefined && nowMs - credit.created_ms < SPACING_MS) return false
  }
  return true
}

interface CheckInKey {
  readonly userId: number
  readonly key: string
}

async function hasCredit(services: AccountServices, checkInOfDay: CheckInKey): Promise<boolean> {
  return (await listCheckIn(services, checkInOfDay)).length > 0
}

function listCheckIn({ store }: AccountServices, { userId, key }: CheckInKey) {
  return listCreditsByKey(store, { account: accountId('user', userId), keyStart: key, limit: 1 })
}

export function rewardRange({ options }: AccountServices): { min: number; max: number } {
  const min = options.get('CheckInQuota')
  return { min, max: Math.max(min, options.get('CheckInMaxQuota')) }
}

function checkInKey(userId: number, day: string): string {
  return `checkin:${userId}:${day}`
}

export function monthOf(day: string): string {
  return day.slice(0, 'YYYY-MM'.length)
}
