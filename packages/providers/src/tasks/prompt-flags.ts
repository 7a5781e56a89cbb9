export const DRAWING_MODES = /--(?:fast|relax|turbo)\b/gi

/**
 * Removes flags such as `--fast` from a prompt: each match of `order`, the spaces before it and, if flags
 * have values, the value after it. The patterns are matched one after the other. A single pattern for all of
 * it would start anew at every space and take quadratic time.
 */
export function withoutPromptFlags(prompt: string, order: RegExp, value?: RegExp): string {
  const kept: string[] = []
  let at = 0
  for (const { index, 0: found } of prompt.matchAll(order)) {
    if (index < at) continue
    const end = value === undefined ? index + found.length : endOfValue(prompt, index + found.length, value)
    if (end === undefined) continue
    kept.push(prompt.slice(at, index).trimEnd())
    at = end
  }
  return at === 0 ? prompt : kept.join('') + prompt.slice(at)
}

/** `value` is a sticky pattern: it matches at exactly this position or not at all. */
function endOfValue(prompt: string, at: number, value: RegExp): number | undefined {
  value.lastIndex = at
  return value.test(prompt) ? value.lastIndex : undefined
}
