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

/** `undefined` for the ordinary tier, and for what is none. */
export function tierOf(told: unknown): string | undefined {
  if (typeof told !== 'string' || !/^[a-z0-9_-]{1,32}$/i.test(told)) return undefined
  const tier = told.toLowerCase()
  return ORDINARY.has(tier) ? undefined : tier
}
