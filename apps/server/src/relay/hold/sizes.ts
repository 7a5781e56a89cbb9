import { inputBound } from '@tollgate/billing/hold'
import { modelLimits, type ModelLimits } from '@tollgate/billing/model-limits'
import type { Price } from '@tollgate/billing/price'
import { isConversation } from '@tollgate/dialects/conversations'
import { isPaidByCharacter } from '@tollgate/dialects/media/input'
import { isImageOperation, isTranscript } from '@tollgate/dialects/media/operation'
import { countInput } from '@tollgate/dialects/tokens/count'
import { uncountedInput } from '@tollgate/dialects/uncounted-input'
import type { Admitted, ToolLimits } from '../admit/admitted.ts'
import { limitsOf } from './limits.ts'

/** How large a call is before it is made, and how large it may become. */
export interface Sizes {
  readonly limits: ModelLimits
  /** Media by a likely size. */
  readonly inputTokens: number
  /** Media by the largest size they could have. */
  readonly inputTokensMax: number
  /** The upstream reads more than the request holds: as much as the model takes. */
  readonly inputTokensUncounted?: number
  /** How often it may read all of that: again after each call of a tool that it runs. */
  readonly readings?: number
  /** `undefined`: the caller did not say. */
  readonly outputTokensMax: number | undefined
  /** Output of one answer where the caller did not say; `undefined`: what the site assumes. */
  readonly outputTokensLikely?: number
  /** Pictures asked for. */
  readonly pictures?: number
}

/** Tokens of a picture of medium quality. https://platform.openai.com/docs/guides/image-generation */
const PICTURE_TOKENS = 1584

export function sizesOf(admitted: Admitted, price: Price): Sizes {
  const { operation, ask, candidates } = admitted
  if (operation === 'realtime') return SESSION
  if (operation === 'search') return { ...SEARCH, limits: modelLimits(candidates.model) }
  const { textTokens, mediaTokens, mediaTokensMax } = countInput(operation, ask)
  const limits = limitsOf(admitted)
  const input = {
    limits,
    inputTokens: textTokens + mediaTokens,
    inputTokensMax: textTokens + mediaTokensMax,
  }
  if (isConversation(operation) || operation === 'completions' || operation === 'compact')
    return { ...input, ...uncountedOf(admitted, input), outputTokensMax: ask.outputTokensMax }
  if (isImageOperation(operation))
    return { ...input, outputTokensMax: undefined, outputTokensLikely: PICTURE_TOKENS, pictures: ask.choices }
  if (operation === 'speech' && !isPaidByCharacter(ask.model)) return speechOf(input, textTokens, price)
  const isWritten = isTranscript(operation) && WRITERS.test(candidates.model)
  if (!isWritten) return { ...input, ...uncountedOf(admitted, input), outputTokensMax: 0 }
  return { ...input, outputTokensMax: undefined, outputTokensLikely: Math.ceil(input.inputTokens / 4) }
}

/** Rounds of tools in one answer; vendors end an answer after about ten and tell the sum of what all rounds read. */
const READINGS_MAX = 16

function uncountedOf(
  { uncounted, toolLimits, operation, ask }: Admitted,
  { limits, inputTokensMax }: Input,
): Pick<Sizes, 'inputTokensUncounted' | 'readings'> {
  if (toolLimits !== undefined) {
    const isRestCounted = uncountedInput(operation, { ...ask.body, tools: [] }) === undefined
    const first = isRestCounted ? inputBound(inputTokensMax) : limits.contextTokens
    return limitedBy(toolLimits, { first, limits })
  }
  if (uncounted === undefined && limits.searches !== true) return {}
  const runsTools =
    limits.searches === true || (uncounted?.serverTool ?? uncounted?.storedContext) !== undefined
  return { inputTokensUncounted: limits.contextTokens, ...(runsTools && { readings: READINGS_MAX }) }
}

/** Each call of a tool makes the upstream read once more, all that came before and what the tool found. */
function limitedBy(
  { calls, tokensOfCall }: ToolLimits,
  { first, limits }: { readonly first: number; readonly limits: ModelLimits },
): Pick<Sizes, 'inputTokensUncounted' | 'readings'> {
  const readings = Array.from({ length: calls + 1 }, (_, before) =>
    Math.min(first + before * tokensOfCall, limits.contextTokens),
  )
  return { inputTokensUncounted: readings.reduce((sum, tokens) => sum + tokens, 0), readings: calls + 1 }
}

/** A session's turns are judged one by one; their sum may be anything. */
const SESSION: Sizes = {
  limits: { contextTokens: Number.MAX_SAFE_INTEGER, outputTokensMax: Number.MAX_SAFE_INTEGER },
  inputTokens: 0,
  inputTokensMax: Number.MAX_SAFE_INTEGER,
  outputTokensMax: undefined,
}

/** It is paid by the call of its tool, however much was read for it. */
const SEARCH = { inputTokens: 0, inputTokensMax: 0, outputTokensMax: 0 }

/** Models that tell what they wrote in tokens; the others are paid by the minute alone. */
const WRITERS = /transcribe|gpt-|gemini|audio/

/** Tokens of sound for one of text: as one speaks, and spoken as slowly as can be. */
const SOUND_USUAL = 6
const SOUND_SLOWEST = 24
const SOUND_LEAST = 500

type Input = Pick<Sizes, 'limits' | 'inputTokens' | 'inputTokensMax'>

function speechOf(input: Input, textTokens: number, price: Price): Sizes {
  const outputTokensMax = textTokens * SOUND_SLOWEST + SOUND_LEAST
  return {
    ...input,
    limits: { ...input.limits, outputTokensMax },
    outputTokensMax: undefined,
    outputTokensLikely: hasAudioPrice(price) ? textTokens * SOUND_USUAL : 0,
  }
}

/** Sound that is made has a price of its own, beside the text it is made of. */
export function hasAudioPrice({ rule }: Price): boolean {
  return rule.type === 'ratio' && rule.audioRatio !== '1'
}
