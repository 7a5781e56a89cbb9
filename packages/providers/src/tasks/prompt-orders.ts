/**
 * A prompt without the orders in it that `order` finds, the spaces before each and, where orders have one, the value that
 * follows. The patterns look for them one by one: a single pattern for all of it would try anew at every space, and its
 * time would grow with their square.
 */
export function withoutOrders(prompt: string, order: RegExp, value?: RegExp): string {
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

/** `value` is sticky: it is what stands at that very place, or nothing. */
function endOfValue(prompt: string, at: number, value: RegExp): number | undefined {
  value.lastIndex = at
  return value.test(prompt) ? value.lastIndex : undefined
}
