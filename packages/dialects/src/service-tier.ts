import type { JsonObject } from './json.ts'
import type { Usage } from './usage.ts'

/** Words for what everybody gets, or for a wish that was left open. */
const ORDINARY = new Set(['default', 'standard', 'standard_only', 'auto', 'on_demand'])

/**
 * The tier that an answer says it was made in, as a member of its usage. What is asked for is a wish; this is what the
 * upstream charges. https://platform.openai.com/docs/guides/priority-processing
 */
export function servedTier(told: unknown): Pick<Usage, 'serviceTier'> {
  const serviceTier = tierOf(told)
  return serviceTier === undefined ? {} : { serviceTier }
}

/**
 * The tier that a body asks for. What a fast answer costs, it costs in whichever tier; where it must be made is a tier
 * of its own beside each of them, `geo-us` or `fast-geo-us`.
 */
export function askedTier(body: JsonObject): string | undefined {
  return placedTier(
    speedOr(body['speed'], body['service_tier'] ?? body['serviceTier']),
    body['inference_geo'],
  )
}

/** The tier of an answer in Anthropic's words. https://platform.claude.com/docs/en/build-with-claude/fast-mode */
export function messageTier(usage: JsonObject): Pick<Usage, 'serviceTier'> {
  const serviceTier = placedTier(speedOr(usage['speed'], usage['service_tier']), usage['inference_geo'])
  return serviceTier === undefined ? {} : { serviceTier }
}

function speedOr(speed: unknown, tier: unknown): string | undefined {
  return speed === 'fast' ? 'fast' : tierOf(tier)
}

/** Anywhere is ordinary. https://platform.claude.com/docs/en/manage-claude/data-residency */
function placedTier(tier: string | undefined, geo: unknown): string | undefined {
  if (geo !== 'us') return tier
  return tier === undefined ? 'geo-us' : `${tier}-geo-us`
}

/** `undefined` for the ordinary tier, and for what is none. */
function tierOf(told: unknown): string | undefined {
  if (typeof told !== 'string' || !/^[a-z0-9_-]{1,32}$/i.test(told)) return undefined
  const tier = told.toLowerCase()
  return ORDINARY.has(tier) ? undefined : tier
}
