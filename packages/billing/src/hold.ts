import { noUsage, type Usage } from '@tollgate/dialects/usage'
import type { Bucket } from './buckets.ts'
import { chargeUnits } from './charge.ts'
import type { Price } from './price.ts'
import { dearestOf, ratesFor } from './rates.ts'

export type HoldMode = 'metered' | 'strict' | 'lenient'

export interface HoldInput {
  readonly price: Price
  /** Input counted locally, media included at their maximum. */
  readonly inputTokensCounted: number
  /** The most input the upstream may read, where the request makes it read more than was counted here: its context. */
  readonly inputTokensMax?: number
  /** What the caller asked for, for one answer; `undefined` when not told. */
  readonly outputTokensMax: number | undefined
  /** What the model can give at most, for one answer. */
  readonly modelOutputTokensMax: number
  /** Reasoning that comes beside the output asked for, for one answer; see `ModelLimits`. */
  readonly reasoningTokensMax?: number
  /** Requested number of answers, at least 1. */
  readonly choices: number
  /** Output assumed when the caller names no maximum (the option PreConsumedQuota). */
  readonly preConsumedTokens: number
  readonly mode: HoldMode
  /** Buckets beyond text and cache which this call can fill; they raise the ceiling when they cost more. */
  readonly media?: readonly Bucket[]
  /** Pictures asked for, where the price has one for each. */
  readonly pictures?: number
  /** Calls of tools that cost extra. */
  readonly toolCalls?: ToolCallBounds
  /** The service tier that is asked for. */
  readonly serviceTier?: string
  readonly margin?: InputMargin
}

/** Calls of an upstream's own tools, by the names of `Usage.toolCalls`; nobody can count them before the answer. */
export interface ToolCallBounds {
  readonly certain?: Readonly<Record<string, number>>
  /** Raises the ceiling. */
  readonly most: Readonly<Record<string, number>>
}

/** How far the upstream's count of the input may lie above ours: a factor in percent and a number of tokens. */
export interface InputMargin {
  readonly percent: number
  readonly tokens: number
}

export const defaultInputMargin: InputMargin = { percent: 130, tokens: 256 }

export interface HoldAmounts {
  /** What is set aside now: the ceiling in strict mode, otherwise the estimate. */
  readonly hold: bigint
  /** price(counted input, requested or assumed output), never above the ceiling. */
  readonly estimate: bigint
  /** The price of the largest call the request permits. */
  readonly ceiling: bigint
}

/** What a call sets aside before anything goes upstream. Free calls hold zero; no balance is too large for a hold. */
export function holdAmounts(input: HoldInput): HoldAmounts {
  const { price, inputTokensCounted } = input
  const ceiling = ceilingOf(input)
  if (price.rule.type === 'call') return { hold: ceiling, estimate: ceiling, ceiling }
  const outputText = outputLimit(input, input.preConsumedTokens)
  const certain = input.toolCalls?.certain
  const tools = certain && { toolCalls: certain }
  const used = { ...noUsage, inputText: inputTokensCounted, outputText, ...tools, ...tierOf(input) }
  const tokens = chargeUnits(price, used)
  const estimate = higher(tokens, byThePiece(input))
  const bounded = lower(estimate, ceiling)
  return {
    hold: input.mode === 'strict' ? ceiling : bounded,
    estimate: bounded,
    ceiling,
  }
}

/** The most of each amount, of the same call at several prices. */
export function highestAmounts(all: readonly HoldAmounts[]): HoldAmounts {
  return all.reduce((left, right) => ({
    hold: higher(left.hold, right.hold),
    estimate: higher(left.estimate, right.estimate),
    ceiling: higher(left.ceiling, right.ceiling),
  }))
}

/**
 * The most output tokens of one answer with which a call, at any of its prices, has amounts that are accepted;
 * `undefined`: not even one. `accepts` has to accept smaller amounts where it accepts larger ones.
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

/** Where the caller named no maximum, a limit of the gateway's says nothing about the output to expect. */
function limited(input: HoldInput, limit: number): HoldInput {
  const { outputTokensMax, modelOutputTokensMax } = input
  return outputTokensMax === undefined
    ? { ...input, modelOutputTokensMax: Math.min(modelOutputTokensMax, limit) }
    : { ...input, outputTokensMax: Math.min(outputTokensMax, limit) }
}

/** The dearest of what the call can be: as long as it may become, or just short of a price for longer ones. */
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

/** So much input, all of it in the dearest bucket it can fall in, and all output likewise. */
function ofLength(input: HoldInput, inputTokens: number): bigint {
  const dearest = dearestBuckets(input, inputTokens)
  return chargeUnits(input.price, {
    ...noUsage,
    [dearest.input]: inputTokens,
    [dearest.output]: outputLimit(input, input.modelOutputTokensMax, input.reasoningTokensMax),
    ...(input.toolCalls && { toolCalls: input.toolCalls.most }),
    ...tierOf(input),
  })
}

function byThePiece(input: HoldInput): bigint {
  const { price, pictures: images } = input
  return images === undefined ? 0n : chargeUnits(price, { ...noUsage, images, ...tierOf(input) })
}

/** A cheaper tier is a wish: what cannot be served in it may be served, and charged, as ordinary. */
function tierOf({ price, serviceTier }: HoldInput): Pick<Usage, 'serviceTier'> {
  const isDearer = serviceTier !== undefined && Number(price.tierRatios?.[serviceTier] ?? 0) > 1
  return isDearer ? { serviceTier } : {}
}

/**
 * The most output tokens of all answers together, with `unasked` for one answer when the caller named no maximum, and so
 * much reasoning beside each.
 */
function outputLimit({ outputTokensMax, choices }: HoldInput, unasked: number, reasoning = 0): number {
  return Math.min(((outputTokensMax ?? unasked) + reasoning) * choices, Number.MAX_SAFE_INTEGER)
}

/** The most input tokens an upstream may count where we counted `tokens`. */
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
