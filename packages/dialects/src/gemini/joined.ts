import type { Part } from '../canonical/part.ts'

/**
 * Pieces of one text, and of one thought, that follow each other are one: streams bring each as a part of its own, and
 * clients send them back as they came. A signature ends a thought, and is of all of it.
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
