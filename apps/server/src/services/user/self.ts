import type { Self, userRoutes } from '@tollgate/contract/user'
import { problem } from '@tollgate/problems/problem'
import { type Balance, accountId } from '@tollgate/ledger/account'
import { type UserRow, countUserCalls, findUser } from '@tollgate/store/accounts/users'
import { isTrusted } from '../../snapshots/trust.ts'
import { shownSetting } from '../account/setting-text.ts'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { wireQuota } from '../wire-quota.ts'

export function getSelf(services: Services): Handler<typeof userRoutes.readSelf> {
  return ({ actor }) => readSelf(services, actor.id)
}

/** The account as its owner sees it: balances from the ledger, no secrets. */
export async function readSelf({ store, ledger, options }: Services, id: number): Promise<Self> {
  const user = await findUser(store, id)
  if (!user) throw problem('not_found')
  const [own, affiliate, calls] = await Promise.all([
    ledger.balance(accountId('user', id)),
    ledger.balance(accountId('affiliate', id)),
    countUserCalls(store, id),
  ])
  const isSelfUse = options.get('SelfUseModeEnabled')
  const hasPaid = isTrusted({ role: user.role, hasPaid: own?.hasPaid === true }, { isSelfUse })
  return { ...profileOf(user), ...figuresOf(own, affiliate), has_paid: hasPaid, request_count: calls }
}

/** What the columns of a user say, without secrets. */
export function profileOf(user: UserRow) {
  const { group_name, last_check_in_ms, has_access_token, has_password, has_default_password, ...plain } =
    user
  return {
    ...plain,
    password: '' as const,
    verification_code: '' as const,
    access_token: null,
    has_access_token: Boolean(has_access_token),
    has_password: Boolean(has_password),
    has_default_password: has_default_password === 1,
    group: group_name,
    DeletedAt: null,
    setting: shownSetting(user.setting),
    last_check_in_time: last_check_in_ms === null ? null : new Date(last_check_in_ms).toISOString(),
  }
}

type Figures = Pick<Balance, 'remaining' | 'debt' | 'used' | 'granted'> | undefined

export function figuresOf(own: Figures, affiliate: Figures) {
  return {
    quota: own ? wireQuota(own.remaining - own.debt) : 0,
    used_quota: own ? wireQuota(own.used) : 0,
    aff_quota: affiliate ? wireQuota(affiliate.remaining) : 0,
    aff_history_quota: affiliate ? wireQuota(affiliate.granted) : 0,
  }
}
