/**
 * A prompt without the orders in it that `pattern` finds, and without the spaces before each. The pattern must not look
 * for those spaces itself: it would try anew at every one of them, and time would grow with their square.
 */
export function withoutOrders(prompt: string, pattern: RegExp): string {
  const kept: string[] = []
  let at = 0
  for (const { index, 0: order } of prompt.matchAll(pattern)) {
    kept.push(prompt.slice(at, index).trimEnd())
    at = index + order.length
  }
  return at === 0 ? prompt : kept.join('') + prompt.slice(at)
}
