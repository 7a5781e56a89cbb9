import { accountId, type Balance } from '@tollgate/ledger/account'
import type { Ledger } from '@tollgate/ledger/ledger'
import { invariant } from '@tollgate/kit/invariant'
import { periodAt } from '@tollgate/kit/calendar-period'
import type { RelaySettings } from '../../snapshots/relay-settings.ts'
import type { TokenEntry } from '../../snapshots/snapshots.ts'
import type { Caller } from '../stations/admit/caller.ts'
import { Amount, jsonWithAmounts } from './amounts-json.ts'
import type { CallerReads } from './caller-reads.ts'

export interface BalanceInput {
  readonly caller: Caller
  readonly ledger: Pick<Ledger, 'balance' | 'caughtUp'>
  readonly settings: Pick<RelaySettings, 'figures' | 'quotaPerUnit'>
}

/** The figure that new-api reports for a token without a limit. */
const UNLIMITED = 100_000_000n

/**
 * `GET /v1/credits`: the balance that the caller can spend, with the members of OpenRouter and, beside its `data`,
 * of Vercel's AI Gateway. Like the billing routes of OpenAI's old API it reports the token, unless the operator shows
 * the owner's balance; so an unlimited token does not show it.
 */
export async function credits({ caller, ledger, settings }: BalanceInput): Promise<string> {
  const { figures, quotaPerUnit } = settings
  const { token, owner } = caller
  const shown = figures.isTokenShown ? token : undefined
  const account = shown === undefined ? accountId('user', owner.id) : accountId('token', shown.id)
  const { remaining, reserved, used, debt } = await balanceOf(account, ledger)
  const left = shown?.isUnlimited === true ? UNLIMITED * BigInt(quotaPerUnit) : remaining + reserved - debt
  const amount = (units: bigint) => new Amount(units, quotaPerUnit)
  const data = jsonWithAmounts({ total_credits: amount(left + used), total_usage: amount(used) })
  return `{"data":${data},"balance":"${amount(left).text}","total_used":"${amount(used).text}"}`
}

export interface KeyInput extends BalanceInput {
  readonly reads: Pick<CallerReads, 'spentSince'>
  /** Wall time. */
  readonly nowMs: number
}

/** `GET /v1/key`: the token of the caller, its limit and what it spent, with the members of OpenRouter. */
export async function keyInfo({ caller, ledger, settings, reads, nowMs }: KeyInput): Promise<string> {
  const { token, owner } = caller
  invariant(token !== undefined, 'these routes are called with a token')
  const { remaining, reserved, used, debt } = await balanceOf(accountId('token', token.id), ledger)
  const periods = (['day', 'week', 'month'] as const).map((kind) => periodAt(kind, nowMs).sinceMs)
  const [daily = 0n, weekly = 0n, monthly = 0n] = await reads.spentSince(
    { id: token.id, userId: owner.id },
    periods,
  )
  const amount = (units: bigint) => new Amount(units, settings.quotaPerUnit)
  const left = remaining + reserved - debt
  const data = {
    label: token.name,
    limit: token.isUnlimited ? null : amount(left + used),
    limit_remaining: token.isUnlimited ? null : amount(left),
    limit_reset: null,
    usage: amount(used),
    usage_daily: amount(daily),
    usage_weekly: amount(weekly),
    usage_monthly: amount(monthly),
    is_free_tier: !owner.hasPaid,
    rate_limit: rateLimitOf(token),
    expires_at: token.expiredTime === -1 ? null : new Date(token.expiredTime * 1000).toISOString(),
    ...absent,
  }
  return `{"data":${jsonWithAmounts(data)}}`
}

/** -1: no limit. */
function rateLimitOf({ limits }: TokenEntry) {
  return { requests: limits?.callsPerMinute ?? -1, interval: '1m', note: 'Calls per minute of this token' }
}

/** Waits for the calls that ended before. */
async function balanceOf(account: number, ledger: BalanceInput['ledger']): Promise<Balance> {
  await ledger.caughtUp()
  const balance = await ledger.balance(account)
  invariant(balance !== undefined, 'whoever may call has an account')
  return balance
}

/** Members of OpenRouter that a client requires, and that mean nothing here. */
const absent = {
  allowed_data_regions: [],
  byok_usage: 0,
  byok_usage_daily: 0,
  byok_usage_monthly: 0,
  byok_usage_weekly: 0,
  creator_user_id: null,
  free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
  include_byok_in_limit: false,
  is_management_key: false,
  is_provisioning_key: false,
  organization_id: null,
  workspace_id: null,
}
