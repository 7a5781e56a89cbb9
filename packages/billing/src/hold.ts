import { noUsage, type Usage } from '@tollgate/dialects/usage'
import type { Bucket } from './buckets.ts'
import { chargeUnits } from './charge.ts'
import type { Price } from './price.ts'
import { dearestOf, ratesFor } from './rates.ts'

export type HoldMode = 'metered' | 'strict' | 'lenient'

export interface HoldInput {
  readonly price: Price
  /** Input tokens counted locally, with media at their maximum. */
  readonly inputTokensCounted: number
  /**
   * Upper bound of input tokens when the request makes the upstream read more than was counted locally, for
   * example by searching: the context size of the model.
   */
  readonly inputTokensMax?: number
  /** Requested maximum output of one choice; `undefined` when the request names none. */
  readonly outputTokensMax: number | undefined
  /** The model's maximum output of one choice. */
  readonly modelOutputTokensMax: number
  /**
   * Maximum reasoning tokens of one choice that are not counted against the requested output; see
   * `ModelLimits`.
   */
  readonly reasoningTokensMax?: number
  /** Requested number of choices, at least 1. */
  readonly choices: number
  /** Output tokens assumed when the request names no maximum (option PreConsumedQuota). */
  readonly preConsumedTokens: number
  readonly mode: HoldMode
  /**
   * Buckets other than text and cache that this call can fill. They raise the ceiling when they cost more.
   */
  readonly media?: readonly Bucket[]
  /** Requested number of images, when the price has a price per image. */
  readonly pictures?: number
  /** Bounds for calls of tools that cost extra. */
  readonly toolCalls?: ToolCallBounds
  /** The requested service tier. */
  readonly serviceTier?: string
  readonly margin?: InputMargin
  /** Further models that may serve the call instead. */
  readonly alternatives?: readonly AlternativeModel[]
  /** What may be used beside the answer: advice of other models, or a summary of the conversation. */
  readonly helpers?: readonly HelperUse[]
}

/** A model that may serve a call instead of the requested one, with its own bounds. */
export interface AlternativeModel extends Pick<
  HoldInput,
  'price' | 'inputTokensMax' | 'modelOutputTokensMax' | 'reasoningTokensMax'
> {}

export interface HelperUse {
  readonly price: Price
  /** The most uses in one call. */
  readonly usesMax: number
  /** The estimate counts one use where it is likely, and none where the vendor decides whether it is needed. */
  readonly isLikely: boolean
  readonly contextTokens: number
  readonly outputTokensMax: number
}

/**
 * Calls of the upstream's built-in tools, by the names of `Usage.toolCalls`. Their number is known only after
 * the response, so these are bounds.
 */
export interface ToolCallBounds {
  readonly certain?: Readonly<Record<string, number>>
  /** The likely number of each; the exposure of an account counts these. */
  readonly expected?: Readonly<Record<string, number>>
  /** Upper bound for each tool; it raises the ceiling. */
  readonly most: Readonly<Record<string, number>>
}

/**
 * Tolerance between our count of input tokens and the upstream's: a percentage, and a number of tokens added
 * to it.
 */
export interface InputMargin {
  readonly percent: number
  readonly tokens: number
}

export const defaultInputMargin: InputMargin = { percent: 130, tokens: 256 }

export interface HoldAmounts {
  /** The quota reserved now: the ceiling in strict mode, otherwise the estimate. */
  readonly hold: bigint
  /** The price of the counted input and the requested or assumed output, never above the ceiling. */
  readonly estimate: bigint
  /** The price of the largest call that the request permits. */
  readonly ceiling: bigint
}

/**
 * Computes the quota to reserve before a request goes upstream. Free calls hold zero. A hold is required
 * whatever the size of the caller's balance.
 */
export function holdAmounts(input: HoldInput): HoldAmounts {
  const { alternatives, helpers } = input
  const own = amountsAlone(input)
  if (alternatives === undefined && helpers === undefined) return own
  return withFurtherModels(input, own)
}

/** The ceiling is the dearest model that may serve the call, and the bound of each helper beside it. */
function withFurtherModels(input: HoldInput, own: HoldAmounts): HoldAmounts {
  const { alternatives = [], helpers = [] } = input
  const dearest = alternatives.reduce(
    (most, alternative) => higher(most, amountsAlone({ ...input, ...alternative }).ceiling),
    own.ceiling,
  )
  const ceiling = helpers.reduce((sum, helper) => sum + helperCeiling(input, helper), dearest)
  const likely = helpers.filter(({ isLikely }) => isLikely)
  const estimate = likely.reduce((sum, helper) => sum + helperEstimate(input, helper), own.estimate)
  const bounded = lower(estimate, ceiling)
  return { hold: input.mode === 'strict' ? ceiling : bounded, estimate: bounded, ceiling }
}

/** A helper reads at most the conversation and what was written so far. */
function helperCeiling(input: HoldInput, helper: HelperUse): bigint {
  const { inputTokensCounted, inputTokensMax = 0, modelOutputTokensMax, margin, mode } = input
  const longest = Math.max(inputBound(inputTokensCounted, margin), inputTokensMax)
  const read = Math.min(helper.contextTokens, longest + outputLimit(input, modelOutputTokensMax))
  const use = ceilingOf({
    price: helper.price,
    inputTokensCounted: read,
    margin: EXACTLY,
    outputTokensMax: helper.outputTokensMax,
    modelOutputTokensMax: helper.outputTokensMax,
    choices: 1,
    preConsumedTokens: 0,
    mode,
  })
  return use * BigInt(helper.usesMax)
}

function helperEstimate({ inputTokensCounted, preConsumedTokens }: HoldInput, { price }: HelperUse): bigint {
  return chargeUnits(price, { ...noUsage, inputText: inputTokensCounted, outputText: preConsumedTokens })
}

const EXACTLY: InputMargin = { percent: 100, tokens: 0 }

function amountsAlone(input: HoldInput): HoldAmounts {
  const { price, inputTokensCounted } = input
  const ceiling = ceilingOf(input)
  if (price.rule.type === 'call') return amountsPerCall(input, ceiling)
  const outputText = outputLimit(input, input.preConsumedTokens)
  const toolCalls = input.toolCalls?.certain
  const used = { ...noUsage, inputText: inputTokensCounted, outputText, toolCalls, ...tierOf(input) }
  const tokens = chargeUnits(price, used)
  const estimate = higher(tokens, byThePiece(input))
  const bounded = lower(estimate, ceiling)
  return {
    hold: input.mode === 'strict' ? ceiling : bounded,
    estimate: bounded,
    ceiling,
  }
}

/** A price per call is certain; of the fees beside it only some are. */
function amountsPerCall(input: HoldInput, ceiling: bigint): HoldAmounts {
  const { price, toolCalls, pictures, mode } = input
  if (pictures !== undefined || toolCalls === undefined) return { hold: ceiling, estimate: ceiling, ceiling }
  const certain = { ...noUsage, inputText: 1, toolCalls: toolCalls.certain, ...tierOf(input) }
  const estimate = lower(chargeUnits(price, certain), ceiling)
  return { hold: mode === 'strict' ? ceiling : estimate, estimate, ceiling }
}

/** The maximum of each amount, for one call at several prices. */
export function highestAmounts(all: readonly HoldAmounts[]): HoldAmounts {
  return all.reduce((left, right) => ({
    hold: higher(left.hold, right.hold),
    estimate: higher(left.estimate, right.estimate),
    ceiling: higher(left.ceiling, right.ceiling),
  }))
}

/**
 * The largest output limit per choice at which a call is accepted at every one of its prices, or `undefined`
 * when not even one output token is. `accepts` must be monotonic: when it accepts some amounts, it must
 * accept smaller ones too.
 */
export function fittingOutput(
  inputs: readonly HoldInput[],
  accepts: (amounts: HoldAmounts) => boolean,
): number | undefined {
  let most = 0
  let beyond = 1 + Math.max(...inputs.map((input) => input.outputTokensMax ?? input.modelOutputTokensMax))
  while (beyond - most > 1) {
    const limit = Math.floor((most + beyond) / 2)
    if (accepts(highestAmounts(inputs.map((input) => holdAmounts(limited(input, limit)))))) most = limit
    else beyond = limit
  }
  return most > 0 ? most : undefined
}

/**
 * When the caller named no maximum, the gateway lowers only the model limit: its own limit says nothing about
 * the output to expect, so the estimate stays the same.
 */
function limited(input: HoldInput, limit: number): HoldInput {
  const { outputTokensMax, modelOutputTokensMax, alternatives } = input
  return outputTokensMax === undefined
    ? {
        ...input,
        modelOutputTokensMax: Math.min(modelOutputTokensMax, limit),
        alternatives: alternatives?.map((each) => ({
          ...each,
          modelOutputTokensMax: Math.min(each.modelOutputTokensMax, limit),
        })),
      }
    : { ...input, outputTokensMax: Math.min(outputTokensMax, limit) }
}

/**
 * The most expensive form of the call: either at its greatest possible input length, or just below the start
 * of a context tier (a tier may be cheaper).
 */
function ceilingOf(input: HoldInput): bigint {
  const { price, inputTokensCounted, inputTokensMax = 0, margin } = input
  if (price.rule.type === 'call' && input.pictures !== undefined) return byThePiece(input)
  const longest = Math.max(inputBound(inputTokensCounted, margin), inputTokensMax)
  const shorter = price.contextTiers?.filter(({ above }) => above < longest) ?? []
  return shorter.reduce(
    (dearest, { above }) => higher(dearest, ofLength(input, above)),
    higher(ofLength(input, longest), byThePiece(input)),
  )
}

/**
 * The price of a call with this many input tokens, all in the most expensive input bucket, and the maximum
 * output, all in the most expensive output bucket.
 */
function ofLength(input: HoldInput, inputTokens: number): bigint {
  const dearest = dearestBuckets(input, inputTokens)
  return chargeUnits(input.price, {
    ...noUsage,
    [dearest.input]: inputTokens,
    [dearest.output]: outputLimit(input, input.modelOutputTokensMax, input.reasoningTokensMax),
    toolCalls: input.toolCalls?.most,
    ...tierOf(input),
  })
}

function byThePiece(input: HoldInput): bigint {
  const { price, pictures: images } = input
  return images === undefined ? 0n : chargeUnits(price, { ...noUsage, images, ...tierOf(input) })
}

/**
 * Only a more expensive tier counts. A request for a cheaper tier may be served and charged at the ordinary
 * price.
 */
function tierOf({ price, serviceTier }: HoldInput): Pick<Usage, 'serviceTier'> {
  const isDearer = serviceTier !== undefined && Number(price.tierRatios?.[serviceTier] ?? 0) > 1
  return isDearer ? { serviceTier } : {}
}

/**
 * Maximum output tokens of all choices together. `unasked` is the limit per choice when the caller named
 * none; `reasoning` is added for each choice.
 */
function outputLimit({ outputTokensMax, choices }: HoldInput, unasked: number, reasoning = 0): number {
  return Math.min(((outputTokensMax ?? unasked) + reasoning) * choices, Number.MAX_SAFE_INTEGER)
}

/** Upper bound of the upstream's input token count when we counted `tokens`. */
export function inputBound(tokens: number, margin: InputMargin = defaultInputMargin): number {
  return Math.ceil((tokens * margin.percent) / 100) + margin.tokens
}

function dearestBuckets(
  { price, media }: HoldInput,
  inputTokens: number,
): Readonly<Record<'input' | 'output', Bucket>> {
  const { dearest: text, perToken } = ratesFor(price, { ...noUsage, inputText: inputTokens })
  if (media === undefined || media.length === 0) return text
  const among = (way: 'input' | 'output') =>
    dearestOf([text[way], ...media.filter((bucket) => bucket.startsWith(way))], perToken)
  return { input: among('input'), output: among('output') }
}

function higher(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}

function lower(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}
