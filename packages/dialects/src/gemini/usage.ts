import type { UsageReader } from '../dialect.ts'
import { recordAt, recordsAt, type JsonObject } from '../json.ts'
import { inputTokens, type LostCounts, outputTokens, type Usage } from '../usage.ts'
import { countOrZero, isNoCount } from '../usage-count.ts'
import { findUnknownCounts } from '../unknown-counts.ts'
import { Searches } from './searches.ts'

/**
 * Reads `usageMetadata` of a response or a fragment; it is cumulative in a stream. Prompt tokens include
 * cached tokens; tool-use prompt tokens and thought tokens are counted beside prompt and candidate tokens.
 * https://ai.google.dev/api/generate-content#UsageMetadata
 */
export const readGeminiUsage: UsageReader = (answer) => {
  const raw = recordAt(answer, 'usageMetadata')
  if (raw === undefined) return undefined
  const tool = countOrZero(raw['toolUsePromptTokenCount'])
  const written = raw['candidatesTokenCount'] ?? raw['responseTokenCount']
  const candidates = countOrZero(written)
  const thoughts = countOrZero(raw['thoughtsTokenCount'])
  const cached = countOrZero(raw['cachedContentTokenCount'])
  const isPromptLost = isNoCount(raw['promptTokenCount'])
  const prompt = isPromptLost ? cached : countOrZero(raw['promptTokenCount'])
  // The prompt includes its cached part. Where that is more, some relays report the prompt without it.
  const isMended = cached > prompt
  const lost = findLost(raw, { isPromptLost, isOutputLost: isNoCount(written), thoughts })
  if (prompt + tool + candidates + thoughts === 0) return undefined
  const searches = new Searches()
  searches.note(answer)
  return {
    ...inputBuckets({ raw, prompt: isMended ? prompt + cached : prompt, tool }),
    ...outputBuckets({ raw, candidates, thoughts }),
    ...searches.toolCalls,
    ...(isMended && { isMended, doubtfulInput: prompt }),
    ...(lost !== undefined && { lost }),
    ...findUnknownCounts('gemini', raw),
    raw,
  }
}

interface LostTotals {
  readonly isPromptLost: boolean
  readonly isOutputLost: boolean
  readonly thoughts: number
}

const PARTS = ['toolUsePromptTokenCount', 'thoughtsTokenCount', 'cachedContentTokenCount'] as const

/** Thoughts are counted beside the candidates, and the gateway sees the latter alone. */
function findLost(
  raw: JsonObject,
  { isPromptLost, isOutputLost, thoughts }: LostTotals,
): LostCounts | undefined {
  const isPartLost = PARTS.some((name) => isNoCount(raw[name]))
  if (!isPromptLost && !isOutputLost && !isPartLost) return undefined
  return {
    ...(isPromptLost && { input: { least: 0 } }),
    ...(isOutputLost && { output: { least: 0, hidden: thoughts } }),
    ...(isPartLost && { isPartLost }),
  }
}

interface Input {
  readonly raw: JsonObject
  readonly prompt: number
  readonly tool: number
}

/**
 * Cached tokens are subtracted from the medium they are reported for; the details per medium may add up to
 * less than the total.
 */
function inputBuckets({ raw, prompt, tool }: Input) {
  const cacheRead = countOrZero(raw['cachedContentTokenCount'])
  let rest = prompt - cacheRead
  const take = (medium: string) => {
    const reported =
      modality(raw, 'promptTokensDetails', medium) - modality(raw, 'cacheTokensDetails', medium)
    const taken = Math.min(rest, Math.max(0, reported))
    rest -= taken
    return taken
  }
  const inputAudio = take('AUDIO')
  const inputImage = take('IMAGE')
  return { cacheRead, cacheWrite5m: 0, cacheWrite1h: 0, inputAudio, inputImage, inputText: rest + tool }
}

interface Output {
  readonly raw: JsonObject
  readonly candidates: number
  readonly thoughts: number
}

function outputBuckets({ raw, candidates, thoughts }: Output) {
  const reported =
    raw['candidatesTokensDetails'] === undefined ? 'responseTokensDetails' : 'candidatesTokensDetails'
  const outputAudio = Math.min(candidates, modality(raw, reported, 'AUDIO'))
  const outputImage = Math.min(candidates - outputAudio, modality(raw, reported, 'IMAGE'))
  const outputText = candidates - outputAudio - outputImage + thoughts
  return { outputAudio, outputImage, outputText, reasoning: thoughts > 0 ? thoughts : undefined }
}

function modality(raw: JsonObject, list: string, name: string): number {
  return recordsAt(raw, list)
    .filter((each) => each['modality'] === name)
    .reduce((sum, each) => sum + countOrZero(each['tokenCount']), 0)
}

export function writeGeminiUsage(usage: Usage): JsonObject {
  const prompt = inputTokens(usage)
  const output = outputTokens(usage)
  const thoughts = Math.min(usage.reasoning ?? 0, usage.outputText)
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: output - thoughts,
    totalTokenCount: prompt + output,
    thoughtsTokenCount: thoughts > 0 ? thoughts : undefined,
    cachedContentTokenCount: usage.cacheRead > 0 ? usage.cacheRead : undefined,
    ...details('promptTokensDetails', {
      TEXT: prompt - usage.inputAudio - usage.inputImage,
      AUDIO: usage.inputAudio,
      IMAGE: usage.inputImage,
    }),
    ...details('candidatesTokensDetails', {
      TEXT: usage.outputText - thoughts,
      AUDIO: usage.outputAudio,
      IMAGE: usage.outputImage,
    }),
  }
}

/** Details per medium are written only if there is more than text. */
function details(name: string, counts: Readonly<Record<string, number>>): JsonObject {
  const reported = Object.entries(counts).filter(([, tokenCount]) => tokenCount > 0)
  if (reported.every(([modality]) => modality === 'TEXT')) return {}
  return { [name]: reported.map(([modality, tokenCount]) => ({ modality, tokenCount })) }
}
