import { isConversation } from '@tollgate/dialects/conversations'
import type { ReserveRefusal, TokenLimits } from '@tollgate/ledger/ledger'
import { isTrusted } from '../../snapshots/trust.ts'
import type { Admitted } from '../admit/admitted.ts'
import { withOutputLimit } from './fit.ts'
import { fitting, type Plan, planOf, type Terms } from './plan.ts'

/** Calls that were refused, made smaller: they ask for less output. */

/** However little remains, a call that is alone in flight may write so much of an answer. */
const ALONE_TOKENS_MIN = 1_000
/** Nobody knows how long an answer of an unknown model may be asked to be: most refuse a limit above their own. */
const UNKNOWN_TOKENS_MAX = 8_192
/** Beside other calls, an answer that could not even be so long is better asked for again when one of them has ended. */
const BESIDE_TOKENS_MIN = 4_096

/** Where the gateway can lower the output, it first wants to know whether it has to. */
export function firstTerms(admitted: Admitted, limits: TokenLimits | undefined): Terms {
  const factor = admitted.settings.overdraftFactor
  return { limits, overdraft: { factor, admitsAlone: !mayLower(admitted) } }
}

/** The same call with less output, where that helps; `undefined`: it stays refused. */
export function smallerPlan(plan: Plan, refusal: ReserveRefusal): Plan | undefined {
  if (refusal.by === 'overdraft') return refusal.isAlone ? smallerAlone(plan, refusal.remaining) : undefined
  const { admitted } = plan.plans[0]
  const { settings, ask, caller, operation } = admitted
  if (settings.holdMode !== 'strict' || !settings.isStrictFitting || !isText(operation)) return undefined
  const most = fitting(plan, ({ ceiling }) => ceiling <= refusal.remaining)
  if (most === undefined) return undefined
  const isBeside = refusal.isAlone === false && !isTrusted(caller.owner, settings)
  const isTooShort = most < Math.min(ask.outputTokensMax ?? BESIDE_TOKENS_MIN, BESIDE_TOKENS_MIN)
  if (isBeside && isTooShort) return undefined
  return lowered(plan, isOfUnknownLength(plan) ? Math.min(most, UNKNOWN_TOKENS_MAX) : most)
}

/** A call that is alone in flight goes on in any case. */
function smallerAlone(plan: Plan, remaining: bigint): Plan {
  const most = outputAlone(plan, remaining)
  if (most <= UNKNOWN_TOKENS_MAX || !isOfUnknownLength(plan)) return lowered(plan, most)
  return { ...plan, terms: admittedAlone(plan.terms) }
}

/** Whether a limit may be more than the model takes: the caller named none, and nobody knows the model. */
function isOfUnknownLength({ plans, terms }: Plan): boolean {
  const isLimitOurs = terms.isLimitOurs ?? plans[0].admitted.ask.outputTokensMax === undefined
  return isLimitOurs && plans.some(({ sizes }) => sizes.limits.isUnknown === true)
}

/** The most output with which a call that is alone in flight keeps to the rule about overdrafts. */
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

/** An old completion that names no limit gets a short answer from its upstream: a limit of ours would make it longer. */
function mayLower({ operation, ask }: Admitted): boolean {
  return isConversation(operation) || (operation === 'completions' && ask.outputTokensMax !== undefined)
}

function isText(operation: Admitted['operation']): boolean {
  return isConversation(operation) || operation === 'completions'
}
