/** Quota as a JSON number. Beyond 2^53 it is capped at the largest exact integer instead of being inexact. */
export function wireQuota(units: bigint): number {
  const limit = BigInt(Number.MAX_SAFE_INTEGER)
  if (units > limit) return Number.MAX_SAFE_INTEGER
  if (units < -limit) return -Number.MAX_SAFE_INTEGER
  return Number(units)
}
