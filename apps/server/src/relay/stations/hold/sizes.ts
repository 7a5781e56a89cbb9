import { inputBound } from '@tollgate/billing/hold'
import { modelLimits, type ModelLimits } from '@tollgate/billing/model-limits'
import type { Price } from '@tollgate/billing/price'
import { isChargedByCharacter } from '@tollgate/dialects/media/input'
import { countInput } from '@tollgate/dialects/tokens/count'
import type { InputCount } from '@tollgate/dialects/tokens/input-visitor'
import { uncountedInput } from '@tollgate/dialects/uncounted-input'
import type { SizesKind } from '../../operations/operation.ts'
import type { Admitted, ToolLimits } from '../admit/admitted.ts'
import { limitsOf } from './limits.ts'

/** How large a call is before it is made, and how large it may become, in tokens. */
export interface Sizes {
  readonly limits: ModelLimits
  /** Media are counted with a likely size. */
  readonly inputTokens: number
  /** Media are counted with the largest size they could have. */
  readonly inputTokensMax: number
  /** Set when the upstream may read more than the request contains; then up to the model's context size. */
  readonly inputTokensUncounted?: number
  /** How often it may read that input: once more after each call of a tool that it runs. */
  readonly readings?: number
  /** `undefined` when the caller set no limit. */
  readonly outputTokensMax: number | undefined
  /** Likely output of one response if the caller set no limit; `undefined` uses the site's default. */
  readonly outputTokensLikely?: number
  /** Number of images requested. */
  readonly pictures?: number
}

/** Tokens of an image of medium quality. https://platform.openai.com/docs/guides/image-generation */
const PICTURE_TOKENS = 1584

export function sizesOf(admitted: Admitted, price: Price): Sizes {
  return sizers[admitted.operation.sizes](admitted, price)
}

const sizers: Readonly<Record<SizesKind, (admitted: Admitted, price: Price) => Sizes>> = {
  session: () => SESSION,
  none: ({ candidates }) => ({ ...NOTHING, limits: modelLimits(candidates.model) }),
  text: (admitted) => ({ ...withUncounted(admitted), outputTokensMax: admitted.ask.outputTokensMax }),
  input: withoutOutput,
  pictures: (admitted) => ({
    ...inputOf(admitted),
    outputTokensMax: undefined,
    outputTokensLikely: PICTURE_TOKENS,
    pictures: admitted.ask.choices,
  }),
  speech: (admitted, price) =>
    isChargedByCharacter(admitted.ask.model) ? withoutOutput(admitted) : speechOf(admitted, price),
  transcript: (admitted) => {
    if (!WRITERS.test(admitted.candidates.model)) return withoutOutput(admitted)
    const input = inputOf(admitted)
    return { ...input, outputTokensMax: undefined, outputTokensLikely: Math.ceil(input.inputTokens / 4) }
  },
}

function withoutOutput(admitted: Admitted): Sizes {
  return { ...withUncounted(admitted), outputTokensMax: 0 }
}

function withUncounted(admitted: Admitted): Input & ReturnType<typeof uncountedOf> {
  const input = inputOf(admitted)
  return { ...input, ...uncountedOf(admitted, input) }
}

function inputOf(admitted: Admitted, count = countedInput(admitted)): Input {
  const { textTokens, mediaTokens, mediaTokensMax } = count
  return {
    limits: limitsOf(admitted),
    inputTokens: textTokens + mediaTokens,
    inputTokensMax: textTokens + mediaTokensMax,
  }
}

function countedInput({ operation, ask }: Admitted): InputCount {
  return countInput(operation.wire, ask)
}

/**
 * Rounds of tool calls in one response; vendors stop after about ten and report the sum of the input of all
 * rounds.
 */
const READINGS_MAX = 16

function uncountedOf(
  { uncounted, toolLimits, operation, ask }: Admitted,
  { limits, inputTokensMax }: Input,
): Pick<Sizes, 'inputTokensUncounted' | 'readings'> {
  if (toolLimits !== undefined) {
    const isRestCounted = uncountedInput(operation.wire, { ...ask.body, tools: [] }) === undefined
    const first = isRestCounted ? inputBound(inputTokensMax) : limits.contextTokens
    return limitedBy(toolLimits, { first, limits })
  }
  if (uncounted === undefined && limits.searches !== true) return {}
  const runsTools =
    limits.searches === true || (uncounted?.serverTool ?? uncounted?.storedContext) !== undefined
  return { inputTokensUncounted: limits.contextTokens, ...(runsTools && { readings: READINGS_MAX }) }
}

/** After each tool call the upstream reads everything again: all earlier input and the result of the tool. */
function limitedBy(
  { calls, tokensOfCall }: ToolLimits,
  { first, limits }: { readonly first: number; readonly limits: ModelLimits },
): Pick<Sizes, 'inputTokensUncounted' | 'readings'> {
  const readings = Array.from({ length: calls + 1 }, (_, before) =>
    Math.min(first + before * tokensOfCall, limits.contextTokens),
  )
  return { inputTokensUncounted: readings.reduce((sum, tokens) => sum + tokens, 0), readings: calls + 1 }
}

/** Each turn of a session is checked separately; the session as a whole has no limits. */
const SESSION: Sizes = {
  limits: { contextTokens: Number.MAX_SAFE_INTEGER, outputTokensMax: Number.MAX_SAFE_INTEGER },
  inputTokens: 0,
  inputTokensMax: Number.MAX_SAFE_INTEGER,
  outputTokensMax: undefined,
}

/** Charged per call, however much input it reads. */
const NOTHING = { inputTokens: 0, inputTokensMax: 0, outputTokensMax: 0 }

/** Transcription models that report their output in tokens; others are charged by the minute only. */
const WRITERS = /transcribe|gpt-|gemini|audio/

/** Audio tokens per text token: at a usual speed, and at the slowest. */
const SOUND_USUAL = 6
const SOUND_SLOWEST = 24
const SOUND_LEAST = 500

type Input = Pick<Sizes, 'limits' | 'inputTokens' | 'inputTokensMax'>

function speechOf(admitted: Admitted, price: Price): Sizes {
  const count = countedInput(admitted)
  const { textTokens } = count
  const input = inputOf(admitted, count)
  const outputTokensMax = textTokens * SOUND_SLOWEST + SOUND_LEAST
  return {
    ...input,
    limits: { ...input.limits, outputTokensMax },
    outputTokensMax: undefined,
    outputTokensLikely: hasAudioPrice(price) ? textTokens * SOUND_USUAL : 0,
  }
}

/** Whether generated audio has its own price, besides that of its text. */
export function hasAudioPrice({ rule }: Price): boolean {
  return rule.type === 'ratio' && rule.audioRatio !== '1'
}
