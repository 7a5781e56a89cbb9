import { noUsage } from '@tollgate/dialects/usage'
import type { Bucket } from './buckets.ts'
import { chargeUnits } from './charge.ts'
import type { Price } from './price.ts'
import { dearestOf, ratesOf } from './rates.ts'

export type HoldMode = 'metered' | 'strict' | 'lenient'

export interface HoldInput {
  readonly price: Price
  /** Input counted locally, media included at their maximum. */
  readonly inputTokensCounted: number
  /** What the caller asked for, for one answer; `undefined` when not told. */
  readonly outputTokensMax: number | undefined
  /** What the model can give at most, for one answer. */
  readonly modelOutputTokensMax: number
  /** Requested number of answers, at least 1. */
  readonly choices: number
  /** Output assumed when the caller names no maximum (the option PreConsumedQuota). */
  readonly preConsumedTokens: number
  readonly mode: HoldMode
  /** Buckets beyond text and cache which this call can fill; they raise the ceiling when they cost more. */
  readonly media?: readonly Bucket[]
  /** Calls of tools that cost extra. */
  readonly toolCalls?: ToolCallBounds
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
  const estimate = chargeUnits(price, { ...noUsage, inputText: inputTokensCounted, outputText, ...tools })
  const bounded = lower(estimate, ceiling)
  return {
    hold: input.mode === 'strict' ? ceiling : bounded,
    estimate: bounded,
    ceiling,
  }
}

/** The most output tokens of one answer with which the ceiling is at most `units`; `undefined`: not even one. */
export function fittingOutput(input: HoldInput, units: bigint): number | undefined {
  let most = 0
  let beyond = (input.outputTokensMax ?? input.modelOutputTokensMax) + 1
  while (beyond - most > 1) {
    const outputTokensMax = Math.floor((most + beyond) / 2)
    if (ceilingOf({ ...input, outputTokensMax }) <= units) most = outputTokensMax
    else beyond = outputTokensMax
  }
  return most > 0 ? most : undefined
}

/** All input in the dearest bucket it can fall in, all output likewise. */
function ceilingOf(input: HoldInput): bigint {
  return chargeUnits(input.price, {
    ...noUsage,
    [dearest(input, 'input')]: inputBound(input.inputTokensCounted, input.margin),
    [dearest(input, 'output')]: outputLimit(input, input.modelOutputTokensMax),
    ...(input.toolCalls && { toolCalls: input.toolCalls.most }),
  })
}

/** The most output tokens of all answers together, with `unasked` for one answer when the caller named no maximum. */
function outputLimit({ outputTokensMax, choices }: HoldInput, unasked: number): number {
  return Math.min((outputTokensMax ?? unasked) * choices, Number.MAX_SAFE_INTEGER)
}

/** The most input tokens an upstream may count where we counted `tokens`. */
export function inputBound(tokens: number, margin: InputMargin = defaultInputMargin): number {
  return Math.ceil((tokens * margin.percent) / 100) + margin.tokens
}

function dearest({ price, media }: HoldInput, way: 'input' | 'output'): Bucket {
  const { dearest: text, perToken } = ratesOf(price)
  if (media === undefined || media.length === 0) return text[way]
  return dearestOf([text[way], ...media.filter((bucket) => bucket.startsWith(way))], perToken)
}

function lower(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}
