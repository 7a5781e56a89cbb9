const PLAIN = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e-\d{1,2})?$/
const GROUPED = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/
const DECIMALS = 6

/**
 * Parses a text to units: `undefined` if it is empty, `NaN` if it is not a number. Accepts `1,000`, `$5` and
 * full-width digits.
 */
export function readNumber(text: string, scale: number): number | undefined {
  const plain = text
    .normalize('NFKC')
    .trim()
    .replace(/^\$\s*/, '')
  if (plain === '') return undefined
  const number = GROUPED.test(plain)
    ? Number(plain.replaceAll(',', ''))
    : PLAIN.test(plain)
      ? Number(plain)
      : NaN
  return scale === 1 ? number : Math.round(number * scale)
}

/** The text of a number that was set by the program, without trailing zeros. */
export function textOfNumber(value: number | undefined, scale: number): string {
  if (value === undefined || Number.isNaN(value)) return ''
  return scale === 1 ? String(value) : String(Number((value / scale).toFixed(DECIMALS)))
}
