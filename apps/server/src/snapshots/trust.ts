import type { OwnerEntry } from './snapshots.ts'
import type { RelaySettings } from './relay-settings.ts'

const ROLE_ADMIN = 10

/**
 * Whether an account is trusted to owe something. One that has never paid can be had any number of times for nothing, so
 * its calls may never cost more than it has.
 */
export function isTrusted(
  { hasPaid, role }: Pick<OwnerEntry, 'hasPaid' | 'role'>,
  { isSelfUse }: Pick<RelaySettings, 'isSelfUse'>,
): boolean {
  return hasPaid || role >= ROLE_ADMIN || isSelfUse
}

/** The site's settings as they are for calls of one account. */
export function settingsFor(owner: OwnerEntry, settings: RelaySettings): RelaySettings {
  return isTrusted(owner, settings) ? settings : { ...settings, holdMode: 'strict', isStrictFitting: true }
}
