import type { familyRoutes } from '@tollgate/contract/family'
import { formatLocalDay } from '@tollgate/kit/local-day'
import { problem } from '@tollgate/problems/problem'
import {
  checkedInText,
  creditReward,
  monthOf,
  rewardRange,
  rewardsOf,
  sumRewards,
} from '../account/check-in.ts'
import type { AccountServices } from '../account/services.ts'
import { Answer, type Handler } from '../handler.ts'
import { wireQuota } from '../wire-quota.ts'

export function checkInAsNewApi(services: AccountServices): Handler<typeof familyRoutes.checkIn> {
  return async ({ actor, address, language }) => {
    const { quota, day } = await creditReward(services, { userId: actor.id, address })
    const data = { quota_awarded: quota, checkin_date: day }
    return new Answer({ data, message: checkedInText(language) })
  }
}

/** Like new-api, refuses the request while check-in is switched off. */
export function getCheckInAsNewApi(services: AccountServices): Handler<typeof familyRoutes.checkInStatus> {
  const { options, clock } = services
  return async ({ actor, query }) => {
    if (!options.get('CheckInEnabled')) throw problem('check_in_closed')
    const today = formatLocalDay(clock.nowMs())
    const [ofMonth, ofThisMonth, sum] = await Promise.all([
      rewardsOf(services, { userId: actor.id, month: query.month ?? monthOf(today) }),
      rewardsOf(services, { userId: actor.id, month: monthOf(today) }),
      sumRewards(services, actor.id),
    ])
    const { min, max } = rewardRange(services)
    return {
      enabled: true,
      min_quota: min,
      max_quota: max,
      stats: {
        total_quota: wireQuota(sum.amount),
        total_checkins: sum.count,
        checkin_count: ofMonth.length,
        checked_in_today: ofThisMonth.some(({ day }) => day === today),
        records: ofMonth.toReversed().map(({ day, quota }) => ({ checkin_date: day, quota_awarded: quota })),
      },
    }
  }
}
