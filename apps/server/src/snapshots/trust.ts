import { USER_ROLE } from '@tollgate/kit/codes'
import type { OwnerEntry } from './snapshots.ts'
import type { RelaySettings } from './relay-settings.ts'

/**
 * Whether an account may overdraw its balance. Anybody can open any number of accounts for free, so the calls
 * of an account that has never paid must not cost more than its balance.
 */
export function isTrusted(
  { hasPaid, role }: Pick<OwnerEntry, 'hasPaid' | 'role'>,
  { isSelfUse }: Pick<RelaySettings, 'isSelfUse'>,
): boolean {
  return hasPaid || role >= USER_ROLE.admin || isSelfUse
}

/** The site's settings as they apply to one account: untrusted accounts get strict holds. */
export function settingsFor(owner: OwnerEntry, settings: RelaySettings): RelaySettings {
  return isTrusted(owner, settings) ? settings : { ...settings, holdMode: 'strict', isStrictFitting: true }
}
