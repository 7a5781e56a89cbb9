import type { Usage } from '@tollgate/dialects/usage'
import { buckets } from './buckets.ts'

/** How large one call to a model can get, in tokens. Used for ceilings and to doubt impossible usage, never to refuse. */
export interface ModelLimits {
  readonly contextTokens: number
  readonly outputTokensMax: number
  /** No family matches the name: the figures are guesses, and only a count that nothing can reach is doubted. */
  readonly isUnknown?: true
  /** The vendor does not count reasoning against `max_tokens`: so much may come beside the output that was asked for. */
  readonly reasoningTokensMax?: number
  /** The model searches by its nature, so it reads more than the request holds. */
  readonly searches?: true
}

export interface UsageBounds {
  readonly limits: ModelLimits
  readonly inputTokensCounted: number
  readonly choices: number
  /** How often the upstream may read its whole context: once, and again after each call of a tool that it runs. */
  readonly readings?: number
  /** Pictures asked for, in calls that make them. */
  readonly pictures?: number
}

const CONTEXT_OF_UNKNOWN = 10_000_000

/**
 * Whether what an upstream reports is a count at all: whole non-negative numbers, no part above the model's context.
 * A report that is larger than expected is still a count; the ceiling of the call bounds what is charged for it.
 */
export function isCount(usage: Usage, { limits, choices, readings = 1 }: UsageBounds): boolean {
  const contextTokens = limits.isUnknown === true ? CONTEXT_OF_UNKNOWN : limits.contextTokens
  const counts = [...Object.values(usage.toolCalls ?? {}), usage.images ?? 0, usage.seconds ?? 0]
  return (
    buckets.every((bucket) => {
      const times = bucket.startsWith('output') ? choices * readings : readings
      return isWhole(usage[bucket]) && usage[bucket] <= contextTokens * times
    }) && counts.every(isWhole)
  )
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

/** The limits of a model by its family; a generous guess for one we do not know. */
export function modelLimits(model: string): ModelLimits {
  const known = found.get(model)
  if (known) return known
  const limits = limitsByFamily(model)
  if (found.size >= FOUND_KEPT_MAX) found.clear()
  found.set(model, limits)
  return limits
}

/** Names repeat, and a family is found by trying patterns. */
const found = new Map<string, ModelLimits>()
const FOUND_KEPT_MAX = 2_000

function limitsByFamily(model: string): ModelLimits {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  const family = families.find(([pattern]) => pattern.test(name))
  const limits = family ? { contextTokens: family[1], outputTokensMax: family[2] } : UNKNOWN
  return {
    ...limits,
    ...(reasonsBeside(name, limits) && { reasoningTokensMax: limits.outputTokensMax }),
    ...(SEARCHES.test(name) && { searches: true as const }),
  }
}

/** Nobody knows how much such a model writes or thinks, so its output may fill a context as large as the largest usual one. */
const UNKNOWN: ModelLimits = { contextTokens: 1_048_576, outputTokensMax: 1_048_576, isUnknown: true }

/** Of a name that nobody knows, only what it says of itself tells. */
function reasonsBeside(name: string, { isUnknown }: ModelLimits): boolean {
  return REASONS_BESIDE.test(name) || (isUnknown === true && /think|reason/.test(name))
}

/**
 * Vendors whose `max_tokens` bounds the visible answer alone, at least at some of their endpoints.
 * https://help.aliyun.com/zh/model-studio/deep-thinking https://www.volcengine.com/docs/82379/1449737
 */
const REASONS_BESIDE = /^qw|^glm-|^ernie-x|^hunyuan-|^doubao-|^step-|-r1\b/

/** https://platform.openai.com/docs/guides/tools-web-search https://docs.perplexity.ai https://openrouter.ai/docs */
const SEARCHES = /-search-(?:preview|api)|deep-research|^sonar|:online$|^compound/

/** An embedding request carries many inputs, each with a context of its own. */
const BATCH_CONTEXT = 16_777_216

/** The first pattern that matches: context, then the largest output of one answer. */
const families: readonly (readonly [RegExp, number, number])[] = [
  // One picture of the largest size and the best quality, and three unfinished ones before it.
  [/image|dall-e|flux|imagen|seedream|stable-diffusion/, 1_048_576, 20_000],
  [/embed|rerank|moderation|^bge-|^tao-8k|similarity/, BATCH_CONTEXT, 8_192],
  [/^gpt-4o.*realtime/, 131_072, 4_096],
  [/realtime/, 32_768, 4_096],
  [/^gpt-5\.[4-9]/, 1_050_000, 128_000],
  [/^gpt-5-chat/, 128_000, 16_384],
  [/^gpt-5/, 400_000, 128_000],
  [/^gpt-4\.1/, 1_047_576, 32_768],
  [/^gpt-4o-2024-05-13/, 128_000, 4_096],
  [/^gpt-4o|^chatgpt-4o|^gpt-4\.5/, 128_000, 16_384],
  [/^gpt-4-(?:turbo|1106|0125|vision)/, 128_000, 4_096],
  [/^gpt-4-32k/, 32_768, 32_768],
  [/^gpt-4/, 128_000, 16_384],
  [/^gpt-3\.5/, 16_385, 4_096],
  [/^gpt-oss/, 131_072, 131_072],
  [/^o1-mini/, 128_000, 65_536],
  [/^o1-preview/, 128_000, 32_768],
  [/^o[134]/, 200_000, 100_000],
  [/^claude-(?:2|instant|3-(?:opus|sonnet|haiku))/, 200_000, 4_096],
  [/^claude-3-5/, 200_000, 8_192],
  [/^claude-3-7/, 200_000, 128_000],
  [/^claude-opus-4-(?:1|2025)/, 200_000, 32_000],
  [/^claude-opus/, 1_000_000, 128_000],
  [/^claude/, 1_000_000, 64_000],
  [/^gemini-1\.5|^gemini-2\.0/, 2_097_152, 8_192],
  [/^gemini/, 1_048_576, 65_536],
  [/^deepseek-(?:reasoner|r1)/, 131_072, 65_536],
  [/^deepseek/, 131_072, 16_384],
  [/^qwen3|^qwq|^qwen-(?:plus|max|turbo|flash)/, 1_000_000, 65_536],
  [/^grok/, 2_000_000, 131_072],
  [/^glm-4\.[5-9]|^glm-[5-9]|^kimi|^minimax/, 1_048_576, 131_072],
]
