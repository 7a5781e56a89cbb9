/** Quota as JSON carries it. Past 2^53 it stops at the largest exact integer rather than lie about the last digits. */
export function wireQuota(units: bigint): number {
  const limit = BigInt(Number.MAX_SAFE_INTEGER)
  if (units > limit) return Number.MAX_SAFE_INTEGER
  if (units < -limit) return -Number.MAX_SAFE_INTEGER
  return Number(units)
}
