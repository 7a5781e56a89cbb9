import { fittingOutput, holdAmounts, type HoldAmounts, type HoldInput } from '@tollgate/billing/hold'
import { modelLimits, type ModelLimits } from '@tollgate/billing/model-limits'
import type { Price } from '@tollgate/billing/price'
import { priceToJson } from '@tollgate/billing/recompute'
import { isConversation } from '@tollgate/dialects/conversations'
import { countInput } from '@tollgate/dialects/tokens/count'
import type { Clock } from '@tollgate/kit/clock'
import { problem, type Problem } from '@tollgate/kit/problem'
import { accountId, type Ledger, type ReserveInput, type ReserveResult } from '@tollgate/ledger/ledger'
import type { Admitted } from '../admit/admitted.ts'
import type { Held } from './held.ts'
import { withOutputLimit } from './fit.ts'
import { mediaBuckets } from './media.ts'
import { toolCallsOf } from './tools.ts'

export interface HoldPorts {
  readonly ledger: Pick<Ledger, 'reserve'>
  readonly clock: Clock
  /** Told when a token's own quota turns out to be used up, so that its row says so; must not throw. */
  readonly onTokenExhausted: (tokenId: number) => void
}

/** Sets aside what the call may cost. Throws a Problem when there is no price or not enough quota. */
export async function hold(admitted: Admitted, ports: HoldPorts): Promise<Held> {
  const startedAt = ports.clock.monotonicMs()
  const { plan, result } = await place(planOf(admitted), ports)
  if (result.type !== 'reserved') throw refusal(result, { admitted, needed: plan.amounts.hold, ports })
  return heldOf(plan, ports.clock.monotonicMs() - startedAt)
}

/** A call with what it may cost. */
interface Plan {
  readonly admitted: Admitted
  readonly sizes: Sizes
  readonly input: HoldInput
  readonly amounts: HoldAmounts
}

function planOf(admitted: Admitted): Plan {
  const { settings, ask } = admitted
  const sizes = sizesOf(admitted)
  const toolCalls = toolCallsOf(admitted)
  const input: HoldInput = {
    price: priceOf(admitted),
    inputTokensCounted: sizes.inputTokensMax,
    outputTokensMax: sizes.outputTokensMax,
    modelOutputTokensMax: sizes.limits.outputTokensMax,
    choices: ask.choices,
    preConsumedTokens: settings.preConsumedQuota,
    mode: settings.holdMode,
    media: mediaBuckets(ask),
    ...(toolCalls && { toolCalls }),
  }
  return { admitted, sizes, input, amounts: holdAmounts(input) }
}

/** The balance may move while a smaller call is made; then it is looked at again, but not for ever. */
const TRIES_MAX = 3

async function place(
  first: Plan,
  { ledger }: HoldPorts,
): Promise<{ readonly plan: Plan; readonly result: ReserveResult }> {
  let plan = first
  for (let tries = 1; ; tries++) {
    const result = await ledger.reserve(reserveInput(plan))
    const isTooLarge = result.type === 'refused' && tries < TRIES_MAX
    const smaller = isTooLarge ? smallerPlan(plan, result.remaining) : undefined
    if (smaller === undefined) return { plan, result }
    plan = smaller
  }
}

/** The same call with as much output as `remaining` pays for, where the site wants that. */
function smallerPlan({ admitted, input }: Plan, remaining: bigint): Plan | undefined {
  const { holdMode, isStrictFitting } = admitted.settings
  if (holdMode !== 'strict' || !isStrictFitting) return undefined
  const outputTokensMax = fittingOutput(input, remaining)
  return outputTokensMax === undefined ? undefined : planOf(withOutputLimit(admitted, outputTokensMax))
}

function heldOf({ admitted, sizes, input, amounts }: Plan, holdMs: number): Held {
  const certain = input.toolCalls?.certain
  return {
    ...admitted,
    price: input.price,
    units: amounts.hold,
    ceiling: amounts.ceiling,
    bounds: {
      limits: sizes.limits,
      inputTokensCounted: sizes.inputTokens,
      outputTokensMax: sizes.outputTokensMax,
      choices: admitted.ask.choices,
    },
    ...(certain && { toolCalls: certain }),
    holdMs,
  }
}

function priceOf({ prices, candidates, group, caller }: Admitted): Price {
  const { owner } = caller
  const price = prices.find({
    model: candidates.model,
    group,
    acceptsUnpriced: owner.acceptsUnpricedModels,
    ownGroup: owner.group,
  })
  if (price === undefined) throw problem('model_price_error', { model: candidates.model })
  return price
}

interface Sizes {
  readonly limits: ModelLimits
  /** Media by a likely size. */
  readonly inputTokens: number
  /** Media by the largest size they could have. */
  readonly inputTokensMax: number
  /** `undefined`: the caller did not say. */
  readonly outputTokensMax: number | undefined
}

function sizesOf({ operation, ask, candidates }: Admitted): Sizes {
  const { textTokens, mediaTokens, mediaTokensMax } = countInput(operation, ask)
  const writes = isConversation(operation) || operation === 'completions'
  return {
    limits: modelLimits(candidates.model),
    inputTokens: textTokens + mediaTokens,
    inputTokensMax: textTokens + mediaTokensMax,
    outputTokensMax: writes ? ask.outputTokensMax : 0,
  }
}

function reserveInput({ admitted: { call, caller }, input, amounts }: Plan): ReserveInput {
  return {
    holdId: call.id,
    userAccount: accountId('user', caller.owner.id),
    ...(caller.token && { tokenAccount: accountId('token', caller.token.id) }),
    amount: amounts.hold,
    ceiling: amounts.ceiling,
    priceJson: priceToJson(input.price),
  }
}

type Refusal = Exclude<ReserveResult, { type: 'reserved' }>

function refusal(
  result: Refusal,
  { admitted, needed, ports }: { admitted: Admitted; needed: bigint; ports: HoldPorts },
): Problem {
  if (result.type === 'unavailable') return problem('ledger_unavailable')
  if (result.type === 'busy') return problem(result.scope === 'user' ? 'too_many_calls' : 'gateway_busy')
  const { remaining, by } = result
  const { token } = admitted.caller
  if (by === 'user' || token === undefined) return problem('insufficient_user_quota', { remaining, needed })
  if (remaining > 0n) return problem('pre_consume_token_quota_failed', { remaining, needed })
  ports.onTokenExhausted(token.id)
  return problem('token_exhausted', { preview: token.preview })
}
