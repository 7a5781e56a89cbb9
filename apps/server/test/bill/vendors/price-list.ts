/** What the vendors of the test take, in ten-thousandths of a unit of quota for one token. 500,000 units are a dollar. */
export interface TokenPrices {
  readonly input: bigint
  readonly output: bigint
  readonly cacheRead: bigint
  readonly cacheWrite5m: bigint
  readonly cacheWrite1h: bigint
}

const PER_UNIT = 10_000n

export const tokenPrices: Readonly<Record<string, TokenPrices>> = {
  // 2.50 and 10 dollars a million.
  'gpt-4o': {
    input: 12_500n,
    output: 50_000n,
    cacheRead: 6_250n,
    cacheWrite5m: 12_500n,
    cacheWrite1h: 12_500n,
  },
  // 1 and 5 dollars a million.
  'claude-haiku-4-5': {
    input: 5_000n,
    output: 25_000n,
    cacheRead: 500n,
    cacheWrite5m: 6_250n,
    cacheWrite1h: 10_000n,
  },
  // 5 and 25 dollars a million.
  'claude-opus-4-5': {
    input: 25_000n,
    output: 125_000n,
    cacheRead: 2_500n,
    cacheWrite5m: 31_250n,
    cacheWrite1h: 50_000n,
  },
  // 0.30 and 3 dollars a million.
  'gemini-2.5-flash': {
    input: 1_500n,
    output: 15_000n,
    cacheRead: 150n,
    cacheWrite5m: 1_500n,
    cacheWrite1h: 1_500n,
  },
}

/** 0.04 dollars for a picture. */
export const PICTURE_UNITS = 20_000n

export interface BilledTokens {
  readonly model: string
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite5m?: number
  readonly cacheWrite1h?: number
}

/** Units for all of them together, rounded once, half up; a call with any token costs at least one. */
export function billTokens(parts: readonly BilledTokens[]): bigint {
  const exact = parts.reduce((sum, part) => sum + exactPrice(part), 0n)
  const units = (exact + PER_UNIT / 2n) / PER_UNIT
  return units === 0n && exact > 0n ? 1n : units
}

/** Units for `units` of what a vendor takes `perThousand` dollars for, and for tokens at two dollars a million. */
export function billFee(perThousand: string, { units, tokens }: { units: number; tokens: number }): bigint {
  const [whole = '0', fraction = ''] = perThousand.split('.')
  const scale = 10n ** BigInt(fraction.length)
  const fee = BigInt(whole + fraction) * BigInt(units) * 500n
  return (BigInt(tokens) * scale + fee + scale / 2n) / scale
}

function exactPrice(part: BilledTokens): bigint {
  const prices = tokenPrices[part.model]
  if (prices === undefined) throw new Error(`the vendor sells no ${part.model}`)
  const { input, output, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0 } = part
  return (
    BigInt(input) * prices.input +
    BigInt(output) * prices.output +
    BigInt(cacheRead) * prices.cacheRead +
    BigInt(cacheWrite5m) * prices.cacheWrite5m +
    BigInt(cacheWrite1h) * prices.cacheWrite1h
  )
}
