import { feeRows } from '@tollgate/catalogue/fees/fee-rows'
import { type UsageFamily, usageMembers } from '@tollgate/catalogue/usage/usage-members'
import { isRecord } from '@tollgate/kit/json'

/** Names of one report; a longer list would say nothing more. */
const NAMES_MAX = 32
const DEPTH_MAX = 5
const ITEMS_MAX = 64
const PATH_CHARACTERS_MAX = 64
const ANYTHING = '*'

interface KnownMembers {
  readonly [name: string]: KnownMembers
}

const families: ReadonlyMap<UsageFamily, KnownMembers> = new Map(
  [...new Set(usageMembers.map(({ family }) => family))].map((family) => [family, buildTree(family)]),
)

function buildTree(family: UsageFamily): KnownMembers {
  const root: Record<string, KnownMembers> = Object.create(null)
  for (const row of usageMembers)
    if (row.family === family) for (const path of row.paths) addPath(root, path.split('.'))
  // Counts that fees are charged by are known in every family, because vendors pass the usage of others on.
  for (const { reportedAt } of feeRows) for (const path of reportedAt) addPath(root, path.split('.'))
  return root
}

function addPath(tree: Record<string, KnownMembers>, [name, ...rest]: readonly string[]): void {
  if (name === undefined) return
  const below: Record<string, KnownMembers> = Object.assign(Object.create(null), tree[name])
  addPath(below, rest)
  tree[name] = below
}

/**
 * Paths of numbers of a usage object that are not zero and that no row of the catalogue knows. What a vendor counts
 * may be what it takes money for.
 */
export function findUnknownCounts(
  family: UsageFamily,
  raw: Readonly<Record<string, unknown>>,
): { readonly unknownCounts?: readonly string[] } {
  const paths = new Set<string>()
  walk(raw, families.get(family), { path: '', depth: 0, paths })
  return paths.size === 0 ? {} : { unknownCounts: [...paths] }
}

interface Walk {
  readonly path: string
  readonly depth: number
  readonly paths: Set<string>
}

function walk(object: Readonly<Record<string, unknown>>, members: KnownMembers | undefined, at: Walk): void {
  for (const name in object) {
    if (at.paths.size >= NAMES_MAX) return
    const below = members?.[name] ?? (members !== undefined && ANYTHING in members ? ALL : undefined)
    visit(object[name], below, { ...at, path: at.path === '' ? name : `${at.path}.${name}` })
  }
}

/** Below a `*`. */
const ALL: KnownMembers = { [ANYTHING]: {} }

function visit(value: unknown, members: KnownMembers | undefined, at: Walk): void {
  if (typeof value === 'number') {
    if (members === undefined && value !== 0) at.paths.add(plainPath(at.path))
    return
  }
  if (typeof value !== 'object' || value === null || at.depth >= DEPTH_MAX) return
  const deeper = { ...at, depth: at.depth + 1 }
  if (!Array.isArray(value)) return isRecord(value) ? walk(value, members, deeper) : undefined
  for (const item of value.slice(0, ITEMS_MAX)) visit(item, members, deeper)
}

/** Vendors choose the names, and operators read them. */
function plainPath(path: string): string {
  return path.slice(0, PATH_CHARACTERS_MAX).replaceAll(/[^\x21-\x7e]/g, '?')
}
