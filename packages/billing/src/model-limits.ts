import { inputTokens, outputTokens, type Usage } from '@tollgate/dialects/usage'
import { buckets } from './buckets.ts'

/** How large one call to a model can get, in tokens. Used for ceilings and to doubt impossible usage, never to refuse. */
export interface ModelLimits {
  readonly contextTokens: number
  readonly outputTokensMax: number
}

export interface UsageBounds {
  readonly limits: ModelLimits
  readonly inputTokensCounted: number
  /** What the caller asked for, for one answer; `undefined` when not told. */
  readonly outputTokensMax: number | undefined
  readonly choices: number
  /** Pictures asked for, in calls that make them. */
  readonly pictures?: number
  /** Input with media at their largest, where that is far from a likely size. */
  readonly inputTokensMax?: number
}

const inputBuckets = buckets.filter((bucket) => !bucket.startsWith('output'))
const outputBuckets = buckets.filter((bucket) => bucket.startsWith('output'))

const INPUT_FACTOR = 8
const INPUT_SLACK_TOKENS = 8192

/**
 * Whether an upstream's report can be believed: whole non-negative numbers, no part above the model's context, input
 * near the local count, output within its limit. Otherwise the local count is charged and the row marked.
 */
export function isSane(usage: Usage, bounds: UsageBounds): boolean {
  const { contextTokens } = bounds.limits
  const outputLimit = (bounds.outputTokensMax ?? bounds.limits.outputTokensMax) * bounds.choices
  return (
    inputBuckets.every((bucket) => isCount(usage[bucket]) && usage[bucket] <= contextTokens) &&
    outputBuckets.every(
      (bucket) => isCount(usage[bucket]) && usage[bucket] <= contextTokens * bounds.choices,
    ) &&
    (usage.toolCalls === undefined || Object.values(usage.toolCalls).every(isCount)) &&
    (usage.images === undefined || isPictureCount(usage.images, bounds)) &&
    inputTokens(usage) <= inputLimit(bounds) &&
    outputTokens(usage) <= outputLimit
  )
}

function inputLimit({ inputTokensCounted, inputTokensMax = 0 }: UsageBounds): number {
  return Math.max(INPUT_FACTOR * inputTokensCounted, inputTokensMax) + INPUT_SLACK_TOKENS
}

function isPictureCount(images: number, { pictures = 0 }: UsageBounds): boolean {
  return isCount(images) && images <= pictures
}

function isCount(value: number): boolean {
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
  return family ? { contextTokens: family[1], outputTokensMax: family[2] } : UNKNOWN
}

/** Reasoning models of every vendor pass 8,192 tokens easily, and a limit set too low would make honest usage doubtful. */
const UNKNOWN: ModelLimits = { contextTokens: 1_048_576, outputTokensMax: 16_384 }

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
