import type { JsonObject } from './json.ts'
import type { Usage } from './usage.ts'

/** Names of the ordinary tier, and of a request that leaves the choice to the vendor. */
const ORDINARY = new Set(['default', 'standard', 'standard_only', 'auto', 'on_demand'])

/**
 * Reads the tier in which a response was served, as a member of its usage. The upstream charges by this tier,
 * whatever tier was requested. https://platform.openai.com/docs/guides/priority-processing
 */
export function servedTier(reported: unknown): Pick<Usage, 'serviceTier'> {
  const serviceTier = tierOf(reported)
  return serviceTier === undefined ? {} : { serviceTier }
}

/**
 * Reads the tier that a body requests. The fast mode has its own price in whichever tier; a requested
 * location is part of the tier name, as in `geo-us` or `fast-geo-us`.
 */
export function requestedTier(body: JsonObject): string | undefined {
  return placedTier(
    speedOr(body['speed'], body['service_tier'] ?? body['serviceTier']),
    body['inference_geo'],
  )
}

/**
 * Reads the tier from an Anthropic usage object.
 * https://platform.claude.com/docs/en/build-with-claude/fast-mode
 */
export function anthropicTier(usage: JsonObject): Pick<Usage, 'serviceTier'> {
  const serviceTier = placedTier(speedOr(usage['speed'], usage['service_tier']), usage['inference_geo'])
  return serviceTier === undefined ? {} : { serviceTier }
}

function speedOr(speed: unknown, tier: unknown): string | undefined {
  return speed === 'fast' ? 'fast' : tierOf(tier)
}

/**
 * Only the location `us` has its own price; anywhere else is ordinary.
 * https://platform.claude.com/docs/en/manage-claude/data-residency
 */
function placedTier(tier: string | undefined, geo: unknown): string | undefined {
  if (geo !== 'us') return tier
  return tier === undefined ? 'geo-us' : `${tier}-geo-us`
}

/** Returns `undefined` for the ordinary tier, and for an invalid value. */
function tierOf(reported: unknown): string | undefined {
  if (typeof reported !== 'string' || !/^[a-z0-9_-]{1,32}$/i.test(reported)) return undefined
  const tier = reported.toLowerCase()
  return ORDINARY.has(tier) ? undefined : tier
}
