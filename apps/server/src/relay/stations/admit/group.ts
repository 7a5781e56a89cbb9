import { problem } from '@tollgate/problems/problem'
import { autoOrder, isAuto } from '../../../snapshots/auto-groups.ts'
import type { OwnerEntry, PriceBook, TokenEntry } from '../../../snapshots/snapshots.ts'

/**
 * The groups that may serve a token, in order: its own group, or else its owner's; for `auto` the token's own
 * list, or else the site's, reduced to those its owner may use. A group without a ratio is refused, never
 * billed at 1.
 */
export function groupsOf(
  { owner, token }: TokenCaller,
  prices: PriceBook,
  autoGroups: readonly string[],
): readonly string[] {
  if (isAuto(token.group, prices)) {
    const groups = autoOrder(token, prices, autoGroups)
    if (groups.length === 0) throw problem('token_group_disabled', { group: token.group })
    return groups
  }
  const group = token.group === '' ? owner.group : token.group
  if (token.group !== '' && !prices.usableGroups(owner.group).has(token.group)) {
    throw problem('token_group_disabled', { group })
  }
  if (!prices.hasGroup(group)) throw problem('group_deprecated', { group })
  return [group]
}

interface TokenCaller {
  readonly owner: OwnerEntry
  readonly token: TokenEntry
}

/**
 * The groups for a playground call: the group named in the request, or the user's own; for `auto` the site's
 * groups in their order.
 */
export function playgroundGroups(
  asked: unknown,
  { owner, prices, autoGroups }: { owner: OwnerEntry; prices: PriceBook; autoGroups: readonly string[] },
): readonly string[] {
  const group = typeof asked === 'string' && asked !== '' ? asked : owner.group
  if (isAuto(group, prices)) {
    const groups = autoOrder({ owner, groupOrder: [] }, prices, autoGroups)
    if (groups.length === 0) throw problem('group_not_allowed')
    return groups
  }
  const isUsable = group === owner.group || prices.usableGroups(owner.group).has(group)
  if (!isUsable || !prices.hasGroup(group)) throw problem('group_not_allowed')
  return [group]
}
