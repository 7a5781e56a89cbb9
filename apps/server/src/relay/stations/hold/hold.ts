import type { ReserveInput } from '@tollgate/ledger/inputs'
import type { ReserveResult } from '@tollgate/ledger/results'
import type { App } from '../../app.ts'
import type { Admitted } from '../admit/admitted.ts'
import type { TokenRates } from '../admit/token-rates.ts'
import type { Held } from './held.ts'
import { refuseKnown } from '../record/refusals.ts'
import { problem } from '@tollgate/problems/problem'
import { findUnpricedFee } from '../../prices/call-fees.ts'
import { isTrusted } from '../../../snapshots/trust.ts'
import { limitTools } from './limit-tools.ts'
import { findLongAnswers } from './limits.ts'
import { firstTerms, smallerPlan } from './smaller.ts'
import { type GroupPlan, type Plan, planOf } from './plan.ts'
import { ledgerLimits, linked, refusalOf, reserve, reserveInput } from './reserve.ts'

export type HoldApp = Pick<
  App,
  'ledger' | 'clock' | 'answers' | 'tokenRates' | 'onTokenExhausted' | 'longAnswers'
>

/**
 * Places a hold for what the call may cost; at once, where it is decided in memory. Throws a Problem, or rejects
 * with one, when there is no price or not enough quota, and
 * while the answers of the user fill their room.
 */
export function hold(asked: Admitted, app: HoldApp): Held | Promise<Held> {
  try {
    app.answers.budget.requireRoom(asked.caller.owner.id)
    return holdFor(asked, app)
  } catch (error) {
    return refuseKnown(error, asked)
  }
}

function holdFor(asked: Admitted, app: HoldApp): Held | Promise<Held> {
  const refuse = (error: unknown) => refuseKnown(error, asked)
  const startedAt = app.clock.monotonicMs()
  const limited = isTrusted(asked.caller.owner, asked.settings) ? asked : limitTools(asked)
  const admitted = findLongAnswers(limited, app.longAnswers) ? { ...limited, writesMore: true } : limited
  const limits = ledgerLimits(admitted.caller.token, app.clock.nowMs())
  const first = planOf(admitted, firstTerms(admitted, limits))
  if (!isTrusted(asked.caller.owner, asked.settings)) refuseUnpriced(first)
  // Refuses instead of throwing, because `refuse` does not see what is thrown beside it.
  const held = ({ plan, result }: Placed): Held => {
    if (result.type !== 'reserved')
      return refuse(refusalOf(result, { ...admitted, needed: plan.amounts.hold, app }))
    return heldOf(plan, app.clock.monotonicMs() - startedAt)
  }
  if (admitted.caller.token?.limits?.tokensPerMinute !== undefined)
    return countTokens(first.plans[0], app.tokenRates)
      .then(() => place(first, app))
      .then(held, refuse)
  const placing = place(first, app)
  return placing instanceof Promise ? placing.then(held, refuse) : held(placing)
}

/** An account that has never paid cannot request a fee whose price nobody knows. */
function refuseUnpriced({ plans }: Plan): void {
  for (const { fees, input } of plans) {
    const fee = fees && findUnpricedFee(fees, input.price)
    if (fee !== undefined) throw problem('fee_price_unknown', { param: fee })
  }
}

/**
 * Counts the tokens the call is likely to use against the token's rate limit: its input and the largest
 * output it requests. The count is corrected when the call ends.
 */
async function countTokens({ admitted, sizes }: GroupPlan, rates: TokenRates): Promise<void> {
  const { call, caller, ask } = admitted
  if (caller.token === undefined) return
  const output = sizes.outputTokensMax ?? sizes.outputTokensLikely ?? 0
  call.countedTokens = await rates.countTokens(caller.token, sizes.inputTokens + output * ask.choices)
}

/** The balance may change while a smaller call is computed, so placing the hold is tried this many times. */
const TRIES_MAX = 3

interface Placed {
  readonly plan: Plan
  readonly result: ReserveResult
}

function place(plan: Plan, app: HoldApp, tries = 1): Placed | Promise<Placed> {
  const { caller, settings } = plan.plans[0].admitted
  const isOfTrusted = isTrusted(caller.owner, settings)
  return reserve({ ledger: app.ledger, input: buildReserveInput(plan), isOfTrusted }, (result) => {
    const isTooLarge = result.type === 'refused' && tries < TRIES_MAX
    const smaller = isTooLarge ? smallerPlan(plan, result) : undefined
    return smaller === undefined ? { plan, result } : place(smaller, app, tries + 1)
  })
}

/** The held call in its first group, linked to the same call in the following groups. */
function heldOf(plan: Plan, holdMs: number): Held {
  const [first, ...others] = plan.plans
  return linked<Held>(
    heldIn(first, plan, holdMs),
    others.map((other) => ({ ...heldIn(other, plan, holdMs), isMoved: true })),
  )
}

function heldIn(
  { admitted, sizes, input, namedPrices, fees }: GroupPlan,
  { amounts, terms }: Plan,
  holdMs: number,
): Held {
  return {
    ...admitted,
    price: input.price,
    ...(namedPrices.length > 0 && { namedPrices }),
    units: amounts.hold,
    ceiling: amounts.ceiling,
    bounds: {
      limits: sizes.limits,
      inputTokensCounted: sizes.inputTokens,
      choices: admitted.ask.choices,
      readings: sizes.readings,
      pictures: sizes.pictures,
    },
    toolCalls: input.toolCalls?.certain,
    ...(fees !== undefined && { fees }),
    budget: terms.limits?.budget,
    holdMs,
  }
}

function buildReserveInput({
  plans: [{ admitted, input, namedPrices }],
  amounts,
  terms,
}: Plan): ReserveInput {
  const { limits, overdraft } = terms
  return reserveInput(admitted, { price: input.price, namedPrices, amounts, limits, overdraft })
}
