import { accountId, type Balance } from '@tollgate/ledger/account'
import type { Ledger } from '@tollgate/ledger/ledger'
import { invariant } from '@tollgate/kit/invariant'
import type { RelaySettings } from '../snapshots/relay-settings.ts'
import type { Caller } from './stations/admit/caller.ts'

export type FiguresKind = 'subscription' | 'usage'

export interface FiguresInput {
  readonly kind: FiguresKind
  readonly caller: Caller
  readonly ledger: Pick<Ledger, 'balance'>
  readonly settings: RelaySettings
}

/** The figure that new-api reports for a token without a limit. */
const UNLIMITED = 100_000_000

/**
 * `GET /dashboard/billing/subscription` and `/usage`: OpenAI's old billing routes, by which clients ask for
 * the remaining balance. The figures are those of the token or of its owner, in currency or in quota units,
 * as set by the operator.
 */
export async function billingFigures({ kind, caller, ledger, settings }: FiguresInput): Promise<string> {
  const { token, owner } = caller
  const { isTokenShown, unitsPerCurrency } = settings.figures
  const shown = isTokenShown ? token : undefined
  const balance = await ledger.balance(shown ? accountId('token', shown.id) : accountId('user', owner.id))
  invariant(balance !== undefined, 'whoever may call has an account')
  const amount = (units: bigint) => Number(units) / (unitsPerCurrency ?? 1)
  if (kind === 'usage') return JSON.stringify({ object: 'list', total_usage: amount(balance.used * 100n) })
  const limit = shown?.isUnlimited === true ? UNLIMITED : amount(totalOf(balance))
  return JSON.stringify({
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: shown === undefined ? 0 : Math.max(0, shown.expiredTime),
  })
}

/** Quota held for calls under way still counts towards the total. */
function totalOf({ remaining, reserved, used }: Balance): bigint {
  return remaining + reserved + used
}
