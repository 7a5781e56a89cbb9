import type { MemberPolicy } from '@tollgate/dialects/checked/take-out'
import type { RelaySettings } from './relay-settings.ts'
import type { OwnerEntry } from './snapshots.ts'
import { isTrusted } from './trust.ts'

const NONE: ReadonlySet<string> = new Set()

/**
 * What happens to members that nobody knows: those of accounts that have paid pass, those of others are taken
 * out, because nobody knows yet what they cost.
 */
export function chooseMemberPolicy(
  wire: string,
  owner: Pick<OwnerEntry, 'hasPaid' | 'role' | 'group'>,
  settings: Pick<RelaySettings, 'isSelfUse' | 'members'>,
): MemberPolicy {
  const { unknownByGroup, harmless } = settings.members
  const unknown = unknownByGroup.get(owner.group) ?? (isTrusted(owner, settings) ? 'pass' : 'take-out')
  return { unknown, harmless: harmless.get(wire) ?? NONE }
}
