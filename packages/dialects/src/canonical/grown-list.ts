/** Lists that `grown` itself created, which it may therefore mutate. */
const ownLists = new WeakSet<readonly unknown[]>()

/**
 * Returns the list with more items at its end. It is copied the first time and then grows in place, because a
 * copy for each item would take quadratic time. A caller that uses the longer list must not use the shorter
 * one any more.
 */
export function grown<Item>(list: readonly Item[] | undefined, items: readonly Item[]): readonly Item[] {
  const own = ownListOf(list)
  for (const item of items) own.push(item)
  return own
}

function ownListOf<Item>(list: readonly Item[] | undefined): Item[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was made below, as a list that may change
  if (list !== undefined && ownLists.has(list)) return list as Item[]
  const own = [...(list ?? [])]
  ownLists.add(own)
  return own
}
