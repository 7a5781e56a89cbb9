/** `93.9 %`: the part of the input that came from a cache; "" without input. */
export function cachedShare(row: { readonly prompt_tokens: number; readonly cached_tokens: number }): string {
  if (row.prompt_tokens === 0) return ''
  return `${((row.cached_tokens / row.prompt_tokens) * 100).toFixed(1)} %`
}
