import { ownValue } from '@tollgate/kit/own-value'

/** The operator's settings for Claude models, on every channel. Source: the option keys `claude.*`. */
export interface ClaudeOptions {
  /**
   * Output token limits by upstream model name, for requests without `max_tokens`; `default` is for all other
   * models.
   */
  readonly outputTokens: Readonly<Record<string, number>>
  /** Additional headers by model, each with a list of values; they replace headers of the same name. */
  readonly headers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** Whether a `-thinking` suffix of the model name turns on extended thinking. */
  readonly hasThinkingSuffix: boolean
  /** The share of the output limit that becomes the thinking budget when the model name turns on thinking. */
  readonly thinkingShare: number
}

export const defaultClaudeOptions: ClaudeOptions = {
  outputTokens: { default: 8192 },
  headers: {},
  hasThinkingSuffix: true,
  thinkingShare: 0.8,
}

export function outputTokensFor({ outputTokens }: ClaudeOptions, model: string): number {
  return ownValue(outputTokens, model) ?? outputTokens['default'] ?? 8192
}

export function headersFor({ headers }: ClaudeOptions, model: string): Record<string, string> {
  const own = Object.hasOwn(headers, model) ? (headers[model] ?? {}) : {}
  const lines = Object.entries(own).map(([name, values]) => [name.toLowerCase(), values.join(',')] as const)
  return Object.fromEntries(lines)
}
