import { noUsage, outputTokens, type Usage } from '../usage.ts'

/** Tokens counted locally while a response passed. */
export interface Counted {
  readonly input: number
  readonly output: number
}

/**
 * Completes the reported usage for a caller: where the upstream reported nothing, or only the usage of the
 * start, local counts stand in for the rest.
 */
export function usageWithCounts(reported: Usage | undefined, { input, output }: Counted): Usage {
  const usage = reported ?? { ...noUsage, inputText: input }
  return { ...usage, outputText: usage.outputText + Math.max(0, output - outputTokens(usage)) }
}
