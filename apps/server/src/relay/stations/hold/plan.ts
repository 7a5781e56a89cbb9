import {
  fittingOutput,
  highestAmounts,
  holdAmounts,
  type HoldAmounts,
  type HoldInput,
} from '@tollgate/billing/hold'
import { withPicturePrice } from '@tollgate/billing/picture-price'
import type { Price } from '@tollgate/billing/price'
import { textAt } from '@tollgate/dialects/json'
import { requestedTier } from '@tollgate/dialects/service-tier'
import { problem } from '@tollgate/problems/problem'
import type { OverdraftRule, TokenLimits } from '@tollgate/ledger/inputs'
import type { Admitted } from '../admit/admitted.ts'
import { boundCallFees, findCallFees, type CallFees } from '../../prices/call-fees.ts'
import { findFurtherModels, findNamedPrices, type NamedPrice } from '../../prices/further-models.ts'
import { mediaOf } from './media.ts'
import { sessionAmounts } from './session.ts'
import { sizesOf, type Sizes } from './sizes.ts'

/** A call and what it may cost, in its own group and in the groups to try after it. */
export interface Plan {
  readonly plans: readonly [GroupPlan, ...(readonly GroupPlan[])]
  /** The largest amounts of any of the groups. */
  readonly amounts: HoldAmounts
  readonly terms: Terms
}

/** The conditions, besides the price, under which a call is admitted. */
export interface Terms {
  /** The limits of the token at admission. */
  readonly limits: TokenLimits | undefined
  readonly overdraft: OverdraftRule
  /** The output limit was set by the gateway; the caller gave none. */
  readonly isLimitOurs?: boolean
}

/** The call in one group, with its price. */
export interface GroupPlan {
  readonly admitted: Admitted
  readonly sizes: Sizes
  readonly input: HoldInput
  readonly namedPrices: readonly NamedPrice[]
  readonly fees: CallFees | undefined
}

/**
 * Computes the plan of a call. Throws a Problem when the first group has no price; a following group without
 * a price is skipped.
 */
export function planOf(admitted: Admitted, terms: Terms): Plan {
  const fees = findCallFees(admitted)
  const price = findPrice(admitted, fees)
  if (price === undefined) throw problem('model_price_error', { model: admitted.candidates.model })
  const others = admitted.fallbacks.flatMap((offer): readonly GroupPlan[] => {
    const other = { ...admitted, ...offer }
    const otherFees = findCallFees(other)
    const otherPrice = findPrice(other, otherFees)
    return otherPrice === undefined
      ? []
      : [buildGroupPlan(other, { price: otherPrice, fees: otherFees }, terms)]
  })
  const plans = [buildGroupPlan(admitted, { price, fees }, terms), ...others] as const
  return { plans, amounts: highestAmounts(plans.map(amountsOf)), terms }
}

/**
 * The largest number of output tokens per response for which `accepts` returns true; `undefined` when not
 * even one token is accepted.
 */
export function fitting({ plans }: Plan, accepts: (amounts: HoldAmounts) => boolean): number | undefined {
  return fittingOutput(
    plans.map(({ input }) => input),
    accepts,
  )
}

interface PricedFees {
  readonly price: Price
  readonly fees: CallFees | undefined
}

function buildGroupPlan(
  admitted: Admitted,
  { price, fees }: PricedFees,
  { isLimitOurs = false }: Terms,
): GroupPlan {
  const { settings, ask } = admitted
  const sizes = sizesOf(admitted, price)
  const { outputTokensMax, modelOutputTokensMax } = outputOf(sizes, isLimitOurs)
  const input: HoldInput = {
    price,
    inputTokensCounted: sizes.inputTokensMax,
    outputTokensMax,
    modelOutputTokensMax,
    choices: ask.choices,
    inputTokensMax: sizes.inputTokensUncounted,
    reasoningTokensMax: sizes.limits.reasoningTokensMax,
    preConsumedTokens: sizes.outputTokensLikely ?? settings.preConsumedQuota,
    mode: settings.holdMode,
    media: mediaOf(admitted),
    pictures: sizes.pictures,
    toolCalls: boundCallFees(admitted, fees),
    serviceTier: requestedTier(ask.body),
  }
  const namedPrices = findNamedPrices({ ...admitted, fees: fees?.set })
  return {
    admitted,
    sizes,
    input: { ...input, ...findFurtherModels(ask.body, input, namedPrices) },
    namedPrices,
    fees,
  }
}

function amountsOf({ admitted, input }: GroupPlan): HoldAmounts {
  const isSession = admitted.operation.sizes === 'session'
  return isSession ? sessionAmounts(input.price, input.mode) : holdAmounts(input)
}

/** A limit set by the gateway bounds the ceiling, but says nothing about the output the caller expects. */
function outputOf(
  { outputTokensMax: asked, limits }: Sizes,
  isLimitOurs: boolean,
): Pick<HoldInput, 'outputTokensMax' | 'modelOutputTokensMax'> {
  const { outputTokensMax: most } = limits
  if (!isLimitOurs) return { outputTokensMax: asked, modelOutputTokensMax: most }
  return { outputTokensMax: undefined, modelOutputTokensMax: Math.min(asked ?? most, most) }
}

function findPrice(
  { prices, candidates, group, caller, operation, ask }: Admitted,
  fees: CallFees | undefined,
): Price | undefined {
  const { owner } = caller
  const price = prices.find({
    model: candidates.model,
    group,
    acceptsUnpriced: owner.acceptsUnpricedModels,
    ownGroup: owner.group,
    ...(fees !== undefined && { fees: fees.set }),
  })
  if (price === undefined || operation.sizes !== 'pictures') return price
  const wish = { size: textAt(ask.body, 'size'), quality: textAt(ask.body, 'quality') }
  return withPicturePrice(price, { model: candidates.model, ...wish })
}
