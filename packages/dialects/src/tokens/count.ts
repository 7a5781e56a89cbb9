import type { Ask } from '../dialect.ts'
import type { CallOperation } from '../conversations.ts'
import { TokenEstimate } from './estimate.ts'
import { visitInput } from './input.ts'
import type { InputCount } from './input-visitor.ts'

/** Fast estimate by character classes: a few microseconds for a typical request. No URL is fetched. */
export function countInput(operation: CallOperation, ask: Ask): InputCount {
  if (ask.counted !== undefined) return ask.counted
  const estimate = new TokenEstimate()
  let structure = 0
  let mediaTokens = 0
  let mediaTokensMax = 0
  visitInput(operation, ask, {
    text: (text) => {
      estimate.separate()
      estimate.addText(text)
    },
    json: (bytes, start, end) => estimate.addJson(bytes, start, end),
    tokens: (count) => {
      structure += count
    },
    media: (count) => {
      mediaTokens += count.likely
      mediaTokensMax += count.max
    },
  })
  return { textTokens: structure + estimate.tokens, mediaTokens, mediaTokensMax }
}

/** Returns `textTokens + mediaTokens` of {@link countInput}. */
export function countInputTokens(operation: CallOperation, ask: Ask): number {
  const count = countInput(operation, ask)
  return count.textTokens + count.mediaTokens
}
