import { AUTO_GROUP } from '@tollgate/contract/token'
import type { PriceBook, TokenEntry } from './snapshots.ts'

/** Whether it stands for the groups of a list, one after the other; a site may have a group of its own of this name. */
export function isAuto(group: string, prices: Pick<PriceBook, 'hasGroup'>): boolean {
  return group === AUTO_GROUP && !prices.hasGroup(AUTO_GROUP)
}

/** The groups that a token names, or else the site does, as far as its owner may use them. */
export function autoOrder(
  { owner, groupOrder }: Pick<TokenEntry, 'owner' | 'groupOrder'>,
  prices: PriceBook,
  siteOrder: readonly string[],
): readonly string[] {
  const usable = prices.usableGroups(owner.group)
  const order = groupOrder.length > 0 ? groupOrder : siteOrder
  return order.filter((group) => usable.has(group) && prices.hasGroup(group))
}
