/** What an operator settles for Claude models, on every channel. Source: the option keys `claude.*`. */
export interface ClaudeOptions {
  /** Limits on output by the upstream's name of a model, for callers who tell none; `default` for all others. */
  readonly outputTokens: Readonly<Record<string, number>>
  /** Further headers by model, each a list of values; one of the same name is replaced. */
  readonly headers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** Whether `-thinking` behind a model's name is a wish. */
  readonly hasThinkingSuffix: boolean
  /** Of the limit on output, for a model that is asked to think by its name. */
  readonly thinkingShare: number
}

export const defaultClaudeOptions: ClaudeOptions = {
  outputTokens: { default: 8192 },
  headers: {},
  hasThinkingSuffix: true,
  thinkingShare: 0.8,
}

export function outputTokensFor({ outputTokens }: ClaudeOptions, model: string): number {
  const own = Object.hasOwn(outputTokens, model) ? outputTokens[model] : undefined
  return own ?? outputTokens['default'] ?? 8192
}

export function headersFor({ headers }: ClaudeOptions, model: string): Record<string, string> {
  const own = Object.hasOwn(headers, model) ? (headers[model] ?? {}) : {}
  const lines = Object.entries(own).map(([name, values]) => [name.toLowerCase(), values.join(',')] as const)
  return Object.fromEntries(lines)
}
