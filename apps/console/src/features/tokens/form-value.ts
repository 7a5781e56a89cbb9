import { NEVER_EXPIRES, type Token } from '@tollgate/contract/token'
import dayjs, { type Dayjs } from 'dayjs'

/** The form's value: quota in units, times in the format of the date picker. */
export interface TokenFormValue {
  readonly name: string
  readonly remainQuota: number
  readonly isUnlimited: boolean
  /** `undefined`: the token never expires. */
  readonly expiresAt?: Dayjs | undefined
  readonly models: readonly string[]
  readonly addresses: string
  readonly group: string
  /** Order of groups for a token of group `auto`; empty: the site's order. */
  readonly groupOrder: readonly string[]
  readonly triesNextGroup: boolean
  /** `undefined`: unlimited. */
  readonly callsPerMinute?: number | null | undefined
  readonly tokensPerMinute?: number | null | undefined
  readonly parallelCalls?: number | null | undefined
  /** "" means no budget. */
  readonly budgetPeriod: Token['budget_period']
  readonly budgetUnits: number
  /** Used only when creating tokens. */
  readonly count: number
}

export const QUOTA_DEFAULT = 500_000
export const COUNT_MAX = 100
export const COUNT_PICKS = [10, 20, 30, 100]
const SUFFIX_LETTERS = 6
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export const newTokenValue: TokenFormValue = {
  name: '',
  remainQuota: QUOTA_DEFAULT,
  isUnlimited: false,
  models: [],
  addresses: '',
  group: '',
  groupOrder: [],
  triesNextGroup: true,
  budgetPeriod: '',
  budgetUnits: 0,
  count: 1,
}

export function formValueOf(token: Token): TokenFormValue {
  return {
    name: token.name,
    remainQuota: token.remain_quota,
    isUnlimited: token.unlimited_quota,
    expiresAt: token.expired_time === NEVER_EXPIRES ? undefined : dayjs.unix(token.expired_time),
    models: token.model_limits_enabled ? splitList(token.model_limits) : [],
    addresses: token.allow_ips,
    group: token.group,
    groupOrder: splitList(token.group_order),
    triesNextGroup: token.cross_group_retry,
    callsPerMinute: token.rpm_limit || undefined,
    tokensPerMinute: token.tpm_limit || undefined,
    parallelCalls: token.max_parallel_requests || undefined,
    budgetPeriod: token.budget_period,
    budgetUnits: token.budget_quota,
    count: 1,
  }
}

/** The body of a create or update call, with the contract's field names. */
export function bodyOf(value: TokenFormValue) {
  return {
    name: value.name.trim(),
    remain_quota: value.remainQuota,
    unlimited_quota: value.isUnlimited,
    expired_time: value.expiresAt?.unix() ?? NEVER_EXPIRES,
    model_limits_enabled: value.models.length > 0,
    model_limits: value.models.join(','),
    allow_ips: value.addresses.trim(),
    group: value.group,
    group_order: value.groupOrder.join(','),
    cross_group_retry: value.triesNextGroup,
    rpm_limit: value.callsPerMinute ?? 0,
    tpm_limit: value.tokensPerMinute ?? 0,
    max_parallel_requests: value.parallelCalls ?? 0,
    budget_period: value.budgetPeriod,
    budget_quota: value.budgetUnits,
  }
}

/** `laptop`, then `laptop-x7Qd2f`, …: the first keeps the name, the others get six random characters. */
export function batchNames(name: string, count: number, random: () => number = Math.random): string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? name : `${name}-${suffix(random)}`))
}

export function splitList(text: string): string[] {
  return text.split(',').filter((part) => part !== '')
}

function suffix(random: () => number): string {
  return Array.from(
    { length: SUFFIX_LETTERS },
    () => ALPHABET[Math.floor(random() * ALPHABET.length)] ?? 'A',
  ).join('')
}
