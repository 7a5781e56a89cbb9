import type { Bucket } from '@tollgate/billing/buckets'
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
import { isImageOperation } from '@tollgate/dialects/media/operation'
import { askedTier } from '@tollgate/dialects/service-tier'
import { problem } from '@tollgate/kit/problem'
import type { OverdraftRule, TokenLimits } from '@tollgate/ledger/ledger'
import type { Admitted } from '../admit/admitted.ts'
import { mayDraw, mediaBuckets } from './media.ts'
import { sessionAmounts } from './session.ts'
import { sizesOf, type Sizes } from './sizes.ts'
import { toolCallsOf } from './tools.ts'

/** A call with what it may cost: in its own group, and in those that follow when that one fails. */
export interface Plan {
  readonly plans: readonly [GroupPlan, ...(readonly GroupPlan[])]
  /** The most that any of them may cost. */
  readonly amounts: HoldAmounts
  readonly terms: Terms
}

/** On what terms a call is admitted, beside its price. */
export interface Terms {
  /** Of the token, as they are when the call is admitted. */
  readonly limits: TokenLimits | undefined
  readonly overdraft: OverdraftRule
  /** The output limit in the request is the gateway's: the caller named none. */
  readonly isLimitOurs?: boolean
}

/** The call in one group, at its price. */
export interface GroupPlan {
  readonly admitted: Admitted
  readonly sizes: Sizes
  readonly input: HoldInput
}

/** Throws a Problem when there is no price. A group without one is none to follow. */
export function planOf(admitted: Admitted, terms: Terms): Plan {
  const price = priceOf(admitted)
  if (price === undefined) throw problem('model_price_error', { model: admitted.candidates.model })
  const others = admitted.fallbacks.flatMap((offer): readonly GroupPlan[] => {
    const other = { ...admitted, ...offer }
    const otherPrice = priceOf(other)
    return otherPrice === undefined ? [] : [legOf(other, otherPrice, terms)]
  })
  const plans = [legOf(admitted, price, terms), ...others] as const
  return { plans, amounts: highestAmounts(plans.map(amountsOf)), terms }
}

/** The most output of one answer with which the amounts are accepted; `undefined`: not even one token. */
export function fitting({ plans }: Plan, accepts: (amounts: HoldAmounts) => boolean): number | undefined {
  return fittingOutput(
    plans.map(({ input }) => input),
    accepts,
  )
}

function legOf(admitted: Admitted, price: Price, { isLimitOurs = false }: Terms): GroupPlan {
  const { settings, ask } = admitted
  const sizes = sizesOf(admitted, price)
  const toolCalls = toolCallsOf(admitted)
  const serviceTier = askedTier(ask.body)
  const input: HoldInput = {
    price,
    inputTokensCounted: sizes.inputTokensMax,
    ...outputOf(sizes, isLimitOurs),
    choices: ask.choices,
    ...(sizes.inputTokensUncounted !== undefined && { inputTokensMax: sizes.inputTokensUncounted }),
    ...(sizes.limits.reasoningTokensMax !== undefined && {
      reasoningTokensMax: sizes.limits.reasoningTokensMax,
    }),
    preConsumedTokens: sizes.outputTokensLikely ?? settings.preConsumedQuota,
    mode: settings.holdMode,
    media: mediaOf(admitted),
    ...(sizes.pictures !== undefined && { pictures: sizes.pictures }),
    ...(toolCalls && { toolCalls }),
    ...(serviceTier !== undefined && { serviceTier }),
  }
  return { admitted, sizes, input }
}

/** Every bucket that the call may fill beside text, in what it holds and in what it makes the upstream read. */
function mediaOf(admitted: Admitted): readonly Bucket[] {
  const { ask, operation, uncounted } = admitted
  const media = new Set(mediaBuckets(ask, operation))
  if (mayDraw(admitted)) media.add('outputImage')
  if (uncounted?.media.has('image')) media.add('inputImage')
  if (uncounted?.media.has('audio')) media.add('inputAudio')
  return [...media]
}

function amountsOf({ admitted, input }: GroupPlan): HoldAmounts {
  const isSession = admitted.operation === 'realtime'
  return isSession ? sessionAmounts(input.price, input.mode) : holdAmounts(input)
}

/** A limit of ours bounds what the model may write, and says nothing about what the caller expects. */
function outputOf(
  { outputTokensMax: asked, limits }: Sizes,
  isLimitOurs: boolean,
): Pick<HoldInput, 'outputTokensMax' | 'modelOutputTokensMax'> {
  const { outputTokensMax: most } = limits
  if (!isLimitOurs) return { outputTokensMax: asked, modelOutputTokensMax: most }
  return { outputTokensMax: undefined, modelOutputTokensMax: Math.min(asked ?? most, most) }
}

function priceOf({ prices, candidates, group, caller, operation, ask }: Admitted): Price | undefined {
  const { owner } = caller
  const price = prices.find({
    model: candidates.model,
    group,
    acceptsUnpriced: owner.acceptsUnpricedModels,
    ownGroup: owner.group,
  })
  if (price === undefined || !isImageOperation(operation)) return price
  const wish = { size: textAt(ask.body, 'size'), quality: textAt(ask.body, 'quality') }
  return withPicturePrice(price, { model: candidates.model, ...wish })
}
