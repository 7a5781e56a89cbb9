import { noUsage, outputTokens, type Usage } from '../usage.ts'

/** What was counted here while an answer passed. */
export interface Counted {
  readonly input: number
  readonly output: number
}

/** What a caller is told where the upstream told nothing, or only the beginning: what was counted stands in for the rest. */
export function usageSoFar(told: Usage | undefined, { input, output }: Counted): Usage {
  const usage = told ?? { ...noUsage, inputText: input }
  return { ...usage, outputText: usage.outputText + Math.max(0, output - outputTokens(usage)) }
}
