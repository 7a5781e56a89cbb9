import type { PricingRow } from '@tollgate/contract/pricing'

/** Whether the letters of the search occur in the name in the same order: `g4om` finds `gpt-4o-mini`. */
export function isFound(name: string, keyword: string): boolean {
  const letters = keyword.toLowerCase().replaceAll(/\s+/g, '')
  let place = 0
  const lower = name.toLowerCase()
  for (const letter of letters) {
    place = lower.indexOf(letter, place) + 1
    if (place === 0) return false
  }
  return true
}

interface Filters {
  readonly keyword: string
  readonly owner: string
  readonly endpoint: string
}

export function matching(
  rows: readonly PricingRow[],
  { keyword, owner, endpoint }: Filters,
): readonly PricingRow[] {
  return rows.filter((row) => {
    const isOfOwner = owner === '' || row.owner_by === owner
    const canDo = endpoint === '' || row.supported_endpoint_types.includes(endpoint)
    return isOfOwner && canDo && isFound(row.model_name, keyword)
  })
}

export interface OwnerSection {
  readonly owner: string
  /** "" for models without a provider. */
  readonly name: string
  readonly rows: readonly PricingRow[]
}

const CONVERSATIONS = new Set(['chat', 'responses', 'messages', 'generate'])

/** Providers with chat models come before those with only image, music or video models. */
function converses({ rows }: OwnerSection): boolean {
  return rows.some((row) => row.supported_endpoint_types.some((endpoint) => CONVERSATIONS.has(endpoint)))
}

/**
 * Groups models by provider: providers of language models first, then by name; models without a provider
 * last.
 */
export function byOwner(rows: readonly PricingRow[]): readonly OwnerSection[] {
  const sections = Object.entries(Object.groupBy(rows, (row) => row.owner_by)).map(
    ([owner, ownRows = []]) => {
      return { owner, name: ownRows[0]?.owner_name ?? '', rows: ownRows }
    },
  )
  return sections.toSorted((left, right) => {
    if ((left.name === '') !== (right.name === '')) return left.name === '' ? 1 : -1
    if (converses(left) !== converses(right)) return converses(left) ? -1 : 1
    return left.name.localeCompare(right.name)
  })
}
