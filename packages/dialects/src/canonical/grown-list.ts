/** Lists that were made here and belong to whoever grows them. */
const ownLists = new WeakSet<readonly unknown[]>()

/**
 * A list with more items at its end. It is copied the first time and then grows in place: to copy it for every item would
 * take the square of its length. Whoever goes on with the longer list must not keep the shorter one.
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
