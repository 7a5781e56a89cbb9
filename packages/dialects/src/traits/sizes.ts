import { plainName } from '@tollgate/catalogue/names/plain-name'

/** Maximum sizes of one request to a model, in tokens. */
export interface ModelSizes {
  readonly contextTokens: number
  /** Maximum output of one answer. */
  readonly outputTokensMax: number
}

/** Sizes by the model's line; `undefined` for a name that matches no line. */
export function sizesOf(model: string): ModelSizes | undefined {
  const name = plainName(model)
  const line = lines.find(([pattern]) => pattern.test(name))
  return line && { contextTokens: line[1], outputTokensMax: line[2] }
}

/** Whether the vendor may generate reasoning in addition to the output limit that a caller sets. */
export function reasonsOutsideLimit(model: string): boolean {
  const name = plainName(model)
  // For an unknown name, the only hint is the name itself.
  return REASONS_BESIDE.test(name) || (sizesOf(model) === undefined && /think|reason/.test(name))
}

/** Whether the model always searches the web, so that it reads more than the request contains. */
export function alwaysSearches(model: string): boolean {
  return SEARCHES.test(model.toLowerCase().replace(/^.*\//, ''))
}

/**
 * Vendors whose `max_tokens` limits only the visible answer, at least at some of their endpoints.
 * https://help.aliyun.com/zh/model-studio/deep-thinking https://www.volcengine.com/docs/82379/1449737
 */
const REASONS_BESIDE = /^qw|^glm-|^ernie-x|^hunyuan-|^doubao-|^step-|-r1\b/

/** https://platform.openai.com/docs/guides/tools-web-search https://docs.perplexity.ai https://openrouter.ai/docs */
const SEARCHES = /-search-(?:preview|api)|deep-research|^sonar|:online$|^compound/

/** An embedding request contains many inputs, each with its own context. */
const BATCH_CONTEXT = 16_777_216

/**
 * Context size and maximum output of one answer; the first pattern that matches applies. An unknown name of a
 * vendor's line gets the sizes of its newest models.
 */
const lines: readonly (readonly [RegExp, number, number])[] = [
  // Output of one image of the largest size and the best quality, with three partial images before it.
  [/image|dall-e|flux|imagen|seedream|stable-diffusion/, 1_048_576, 20_000],
  [/embed|rerank|moderation|^bge-|^tao-8k|similarity/, BATCH_CONTEXT, 8_192],
  [/^gpt-4o.*realtime/, 131_072, 4_096],
  [/realtime/, 32_768, 4_096],
  [/^gpt-5-chat/, 128_000, 16_384],
  [/^gpt-5-pro/, 400_000, 272_000],
  [/^gpt-5(?:\.?[0-3](?!\d)|-|$)/, 400_000, 128_000],
  // Names of Azure deployments may lack the dot.
  [/^gpt-4\.?1/, 1_047_576, 32_768],
  [/^gpt-4o-2024-05-13/, 128_000, 4_096],
  [/^gpt-4o|^chatgpt-4o|^gpt-4\.?5/, 128_000, 16_384],
  [/^gpt-4-(?:turbo|1106|0125|vision)/, 128_000, 4_096],
  [/^gpt-4-32k/, 32_768, 32_768],
  [/^gpt-4/, 128_000, 16_384],
  [/^gpt-3/, 16_385, 4_096],
  [/^gpt-oss/, 131_072, 131_072],
  [/^gpt-\d/, 1_050_000, 128_000],
  [/^o1-mini/, 128_000, 65_536],
  [/^o1-preview/, 128_000, 32_768],
  [/^o\d/, 200_000, 100_000],
  [/^claude-(?:v?[12]\b|instant|[a-z]+-3\.0$)/, 200_000, 4_096],
  [/^claude-[a-z]+-3\.5$/, 200_000, 8_192],
  [/^claude-[a-z]+-3\.7$/, 200_000, 128_000],
  [/^claude-opus-4\.[01]$/, 200_000, 32_000],
  [/^claude-(?:sonnet|haiku)-4\.[0-5]$/, 1_000_000, 64_000],
  [/^claude/, 1_000_000, 128_000],
  [/^gemini-1\.5|^gemini-2\.0/, 2_097_152, 8_192],
  [/^gemini/, 1_048_576, 65_536],
  [/^deepseek-(?:reasoner|r1)/, 131_072, 65_536],
  [/^deepseek/, 131_072, 16_384],
  [/^qwen3|^qwq|^qwen-(?:plus|max|turbo|flash)/, 1_000_000, 65_536],
  [/^grok/, 2_000_000, 131_072],
  [/^glm-4\.[5-9]|^glm-[5-9]|^kimi|^minimax/, 1_048_576, 131_072],
]
