import { AUTO_GROUP } from '@tollgate/contract/token'
import type { PriceBook, TokenEntry } from './snapshots.ts'

/**
 * Whether `group` is the automatic group, which stands for a list of groups tried one after the other. A site
 * may define an ordinary group of the same name; then that group counts.
 */
export function isAuto(group: string, prices: Pick<PriceBook, 'hasGroup'>): boolean {
  return group === AUTO_GROUP && !prices.hasGroup(AUTO_GROUP)
}

/**
 * The groups that the token names, or else the site's list, reduced to those that the token's owner may use.
 */
export function autoOrder(
  { owner, groupOrder }: Pick<TokenEntry, 'owner' | 'groupOrder'>,
  prices: PriceBook,
  siteOrder: readonly string[],
): readonly string[] {
  const usable = prices.usableGroups(owner.group)
  const order = groupOrder.length > 0 ? groupOrder : siteOrder
  return order.filter((group) => usable.has(group) && prices.hasGroup(group))
}
