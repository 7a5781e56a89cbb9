import type { Part } from '../canonical/part.ts'

/**
 * Merges consecutive pieces of one text, and of one thought: streams bring each piece as a separate part, and
 * clients send them back that way. A signature ends a thought and covers all its pieces.
 */
export function joined(parts: readonly Part[]): Part[] {
  const sum: Part[] = []
  for (const part of parts) {
    const last = sum.at(-1)
    const goesOn =
      (last?.type === 'text' && part.type === 'text') ||
      (last?.type === 'reasoning' && part.type === 'reasoning' && last.signature === undefined)
    if (goesOn) sum[sum.length - 1] = { ...last, ...part, text: last.text + part.text }
    else sum.push(part)
  }
  return sum.filter((part) => part.type !== 'text' || part.text !== '' || part.extras !== undefined)
}
