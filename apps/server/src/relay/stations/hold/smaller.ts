import type { ReserveRefusal } from '@tollgate/ledger/results'
import type { TokenLimits } from '@tollgate/ledger/inputs'
import { isTrusted } from '../../../snapshots/trust.ts'
import type { Admitted } from '../admit/admitted.ts'
import { withOutputLimit } from './fit.ts'
import { fitting, type Plan, planOf, type Terms } from './plan.ts'

/** Makes a call that was refused smaller, by requesting less output. */

/**
 * However little balance remains, a call with no other call in flight may produce this many output tokens.
 */
const ALONE_TOKENS_MIN = 1_000
/**
 * The most the gateway sets as the output limit of an unknown model, because most upstreams refuse a limit
 * above the model's own.
 */
const UNKNOWN_TOKENS_MAX = 8_192
/**
 * If other calls are in flight and this call would get less output than this, it is refused, so that the
 * client retries when one of the others has ended.
 */
const BESIDE_TOKENS_MIN = 4_096

/**
 * For calls whose output the gateway can lower, the first try does not use the exception for a call alone in
 * flight, to find out whether lowering is needed.
 */
export function firstTerms(admitted: Admitted, limits: TokenLimits | undefined): Terms {
  const factor = admitted.settings.overdraftFactor
  return { limits, overdraft: { factor, admitsAlone: !mayLower(admitted) } }
}

/** The same call with less output, if that helps; `undefined` when the call stays refused. */
export function smallerPlan(plan: Plan, refusal: ReserveRefusal): Plan | undefined {
  if (refusal.by === 'overdraft') return refusal.isAlone ? smallerAlone(plan, refusal.remaining) : undefined
  const { admitted } = plan.plans[0]
  const { settings, ask, caller, operation } = admitted
  if (settings.holdMode !== 'strict' || !settings.isStrictFitting || !operation.outputLimit) return undefined
  const most = fitting(plan, ({ ceiling }) => ceiling <= refusal.remaining)
  if (most === undefined) return undefined
  const isBeside = refusal.isAlone === false && !isTrusted(caller.owner, settings)
  const isTooShort = most < Math.min(ask.outputTokensMax ?? BESIDE_TOKENS_MIN, BESIDE_TOKENS_MIN)
  if (isBeside && isTooShort) return undefined
  return lowered(plan, isOfUnknownLength(plan) ? Math.min(most, UNKNOWN_TOKENS_MAX) : most)
}

/** A call with no other call in flight is admitted in any case. */
function smallerAlone(plan: Plan, remaining: bigint): Plan {
  const most = outputAlone(plan, remaining)
  if (most <= UNKNOWN_TOKENS_MAX || !isOfUnknownLength(plan)) return lowered(plan, most)
  return { ...plan, terms: admittedAlone(plan.terms) }
}

/**
 * Whether a limit set by the gateway could exceed the model's own: the caller set none, and the model is
 * unknown.
 */
function isOfUnknownLength({ plans, terms }: Plan): boolean {
  const isLimitOurs = terms.isLimitOurs ?? plans[0].admitted.ask.outputTokensMax === undefined
  return isLimitOurs && plans.some(({ sizes }) => sizes.limits.isUnknown === true)
}

/** The largest output with which a call alone in flight keeps to the overdraft rule. */
function outputAlone(plan: Plan, remaining: bigint): number {
  const { factor } = plan.terms.overdraft
  const most = fitting(
    plan,
    ({ hold, ceiling }) => hold <= remaining && ceiling - hold <= factor * (remaining - hold),
  )
  return Math.max(most ?? 0, ALONE_TOKENS_MIN)
}

function lowered({ plans: [{ admitted }], terms }: Plan, outputTokensMax: number): Plan {
  const asked = admitted.ask.outputTokensMax
  return planOf(withOutputLimit(admitted, Math.min(asked ?? outputTokensMax, outputTokensMax)), {
    ...admittedAlone(terms),
    isLimitOurs: terms.isLimitOurs ?? asked === undefined,
  })
}

function admittedAlone(terms: Terms): Terms {
  return { ...terms, overdraft: { ...terms.overdraft, admitsAlone: true } }
}

/** Where no limit may be added, only one that the caller set can be lowered. */
function mayLower({ operation: { outputLimit }, ask }: Admitted): boolean {
  return outputLimit !== undefined && (outputLimit.mayBeAdded || ask.outputTokensMax !== undefined)
}
