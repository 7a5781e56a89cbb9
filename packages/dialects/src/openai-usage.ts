import type { UsageReader } from './dialect.ts'
import { recordAt, recordsAt, type JsonObject } from './json.ts'
import { readPaidAnswer } from './paid-answer.ts'
import { servedTier } from './service-tier.ts'
import { findUnknownCounts } from './unknown-counts.ts'
import type { LostCounts, Usage } from './usage.ts'
import { countOrZero, isNoCount, NO_COUNT, readCount } from './usage-count.ts'

/** Deviations of a vendor's usage object from the documented shape. */
export interface UsageRule {
  /** Members of the usage object that report cached input if the details do not. */
  readonly cachedIn?: readonly string[]
  /** Streams carry the usage inside `choices[]`. */
  readonly isInChoices?: boolean
  /** The reported output excludes reasoning, but the total includes it. */
  readonly isOutputFromTotal?: boolean
  /** Cached input is reported as `timings.cache_n`, beside the usage object. */
  readonly isCacheInTimings?: boolean
}

/**
 * Builds a usage reader. Its buckets are disjoint and never negative, and add up to the reported input and
 * output.
 */
export function usageReader(rule: UsageRule): UsageReader {
  return (answer) => {
    const raw = recordAt(answer, 'usage') ?? (rule.isInChoices === true ? usageInChoices(answer) : undefined)
    if (raw === undefined) return undefined
    const report: Report = {
      answer,
      raw,
      rule,
      inputDetails: recordsNamed(raw, INPUT_DETAILS),
      outputDetails: recordsNamed(raw, OUTPUT_DETAILS),
    }
    const totals = readTotals(report)
    if (totals.input === 0 && totals.output === 0) return undefined
    // Cached tokens are part of the input. Where they are more, some relays report the input without them.
    const cached = cachedTold(report)
    const isMended = cached > totals.input
    const input = isMended ? totals.input + cached + detail(report.inputDetails, WRITTEN) : totals.input
    const { outputText, outputAudio, outputImage, reasoning } = outputBuckets(totals.output, report)
    const usage = {
      ...inputBuckets(input, cached || cachedInTimings(report), report),
      outputText,
      outputAudio,
      outputImage,
      reasoning,
      ...(isMended && { isMended, doubtfulInput: totals.input }),
      ...(totals.lost !== undefined && { lost: totals.lost }),
      ...findUnknownCounts('openai', raw),
      raw,
    }
    const { serviceTier } = servedTier(answer['service_tier'] ?? raw['service_tier'])
    const served = serviceTier === undefined ? usage : { ...usage, serviceTier }
    const toolCalls = readEvidence(raw, answer)
    return toolCalls === undefined ? served : { ...served, toolCalls }
  }
}

/** Reads usage as documented by OpenAI, which most compatible vendors follow. */
export const readOpenAiUsage: UsageReader = usageReader({})
/** The llama.cpp server reports cached input in its timings. */
export const readLlamaUsage: UsageReader = usageReader({ isCacheInTimings: true })
export const readMoonshotUsage: UsageReader = usageReader({ cachedIn: ['cached_tokens'], isInChoices: true })
export const readXaiUsage: UsageReader = usageReader({ isOutputFromTotal: true })

/** Reads cached input from vendor-specific members: `cachedIn('prompt_cache_hit_tokens')`. */
export function cachedIn(...names: readonly string[]): UsageReader {
  return usageReader({ cachedIn: names })
}

function usageInChoices(answer: JsonObject): Record<string, unknown> | undefined {
  return recordsAt(answer, 'choices')
    .map((choice) => recordAt(choice, 'usage'))
    .find((usage) => usage !== undefined)
}

interface Totals {
  readonly input: number
  readonly output: number
  readonly lost?: LostCounts
}

function readTotals(report: Report): Totals {
  const { raw, inputDetails, outputDetails } = report
  const input = readCount(raw['prompt_tokens'] ?? raw['input_tokens'])
  const output = readCount(raw['completion_tokens'] ?? raw['output_tokens'])
  const total = countOrZero(raw['total_tokens'])
  const isPartLost = [raw, ...inputDetails, ...outputDetails].some((each) => hasLostPart(each))
  if (input !== NO_COUNT && output !== NO_COUNT) {
    const totals = dividedTotals({ input, output, total }, report)
    return isPartLost ? { ...totals, lost: { isPartLost } } : totals
  }
  // The parts of a total that is no count are kept.
  const parts = { input: inputParts(inputDetails, report), output: outputParts(outputDetails) }
  const kept = {
    input: input === NO_COUNT ? parts.input : (input ?? 0),
    output: output === NO_COUNT ? parts.output : (output ?? 0),
  }
  const lost = {
    ...(input === NO_COUNT && { input: { least: total - kept.output } }),
    ...(output === NO_COUNT && { output: { least: total - kept.input, hidden: 0 } }),
    ...(isPartLost && { isPartLost }),
  }
  return { ...kept, lost }
}

function inputParts(details: readonly JsonObject[], report: Report): number {
  return cachedTold(report) + detail(details, WRITTEN) + detail(details, AUDIO) + detail(details, IMAGE)
}

function outputParts(details: readonly JsonObject[]): number {
  return detail(details, AUDIO) + detail(details, IMAGE) + detail(details, REASONING)
}

/** Whether one of the members that are read of it, apart from the totals themselves, is no count. */
function hasLostPart(object: JsonObject): boolean {
  return PARTS.some((name) => isNoCount(object[name]))
}

interface ReportedTotals {
  readonly input: number | undefined
  readonly output: number | undefined
  readonly total: number
}

function dividedTotals(
  { input, output, total }: ReportedTotals,
  { rule, outputDetails }: Report,
): Omit<Totals, 'lost'> {
  if (input === undefined) return { input: Math.max(0, total - (output ?? 0)), output: output ?? 0 }
  const rest = Math.max(0, total - input)
  if (output === undefined) return { input, output: rest }
  const reasoning = detail(outputDetails, REASONING)
  const isReasoningApart = rule.isOutputFromTotal === true || (reasoning > 0 && rest === output + reasoning)
  return { input, output: isReasoningApart ? Math.max(output, rest) : output }
}

const INPUT_DETAILS = ['prompt_tokens_details', 'input_tokens_details', 'input_token_details'] as const
const OUTPUT_DETAILS = ['completion_tokens_details', 'output_tokens_details', 'output_token_details'] as const
const NOWHERE: readonly string[] = []
const CACHED = ['cached_tokens'] as const
const AUDIO = ['audio_tokens'] as const
const IMAGE = ['image_tokens'] as const
const REASONING = ['reasoning_tokens'] as const
const WRITTEN = ['cached_creation_tokens', 'cache_write_tokens', 'cache_creation_tokens'] as const
const PARTS = ['total_tokens', ...CACHED, ...AUDIO, ...IMAGE, ...REASONING, ...WRITTEN] as const

type InputBuckets = Pick<
  Usage,
  'inputText' | 'cacheRead' | 'cacheWrite5m' | 'cacheWrite1h' | 'inputImage' | 'inputAudio'
>

interface Report {
  readonly answer: JsonObject
  /** The usage object. */
  readonly raw: JsonObject
  readonly rule: UsageRule
  readonly inputDetails: readonly JsonObject[]
  readonly outputDetails: readonly JsonObject[]
}

/** Details may overlap (cached audio is in both), so each takes only from what the earlier ones left. */
function inputBuckets(input: number, cached: number, { inputDetails }: Report): InputBuckets {
  const share = new Share(input)
  return {
    cacheRead: share.take(cached),
    cacheWrite5m: share.take(detail(inputDetails, WRITTEN)),
    cacheWrite1h: 0,
    inputAudio: share.take(detail(inputDetails, AUDIO)),
    inputImage: share.take(detail(inputDetails, IMAGE)),
    inputText: share.rest,
  }
}

function outputBuckets(
  output: number,
  { outputDetails }: Report,
): Pick<Usage, 'outputText' | 'outputAudio' | 'outputImage' | 'reasoning'> {
  const share = new Share(output)
  const outputAudio = share.take(detail(outputDetails, AUDIO))
  const outputImage = share.take(detail(outputDetails, IMAGE))
  const reasoning = Math.min(share.rest, detail(outputDetails, REASONING))
  return {
    outputAudio,
    outputImage,
    outputText: share.rest,
    reasoning: reasoning > 0 ? reasoning : undefined,
  }
}

/** Evidence of paid tools, in the usage and beside it. */
function readEvidence(raw: JsonObject, answer: JsonObject): Usage['toolCalls'] {
  // Anthropic's member, which other gateways and routers in front of Anthropic pass through.
  const searches = countOrZero(recordAt(raw, 'server_tool_use')?.['web_search_requests'])
  const beside = readPaidAnswer(answer)
  if (searches === 0) return beside
  return { web_search: searches, ...beside }
}

function cachedInTimings({ answer, rule }: Report): number {
  return rule.isCacheInTimings === true ? countOrZero(recordAt(answer, 'timings')?.['cache_n']) : 0
}

function cachedTold({ raw, rule: { cachedIn: names = NOWHERE }, inputDetails }: Report): number {
  return detail(inputDetails, CACHED) || firstTold(raw, names)
}

/** The members of these names that are objects. */
function recordsNamed(raw: JsonObject, names: readonly string[]): readonly JsonObject[] {
  const found: JsonObject[] = []
  for (const name of names) {
    const details = recordAt(raw, name)
    if (details !== undefined) found.push(details)
  }
  return found
}

function detail(groups: readonly JsonObject[], names: readonly string[]): number {
  for (const details of groups) {
    const found = firstTold(details, names)
    if (found > 0) return found
  }
  return 0
}

/** Returns the first member with a count above zero. */
function firstTold(object: JsonObject, names: readonly string[]): number {
  for (const name of names) {
    const tokens = countOrZero(object[name])
    if (tokens > 0) return tokens
  }
  return 0
}

class Share {
  rest: number

  constructor(whole: number) {
    this.rest = whole
  }

  take(wanted: number): number {
    const taken = Math.min(this.rest, wanted)
    this.rest -= taken
    return taken
  }
}
