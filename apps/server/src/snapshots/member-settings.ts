import type { UnknownMembers } from '@tollgate/dialects/checked/take-out'

/** The operator's rules for members that no row of the catalogue knows. */
export interface MemberSettings {
  /** By group; groups without a rule follow what the account has paid. */
  readonly unknownByGroup: ReadonlyMap<string, UnknownMembers>
  /** Paths of harmless members, by the wire format in which they occur. */
  readonly harmless: ReadonlyMap<string, ReadonlySet<string>>
}

/** Reads entries such as `chat reasoning.depth`. */
export function readHarmless(entries: readonly string[]): MemberSettings['harmless'] {
  const byWire = Map.groupBy(entries, (entry) => entry.slice(0, entry.indexOf(' ')))
  return new Map(
    [...byWire].map(([wire, all]) => [wire, new Set(all.map((entry) => entry.slice(wire.length + 1)))]),
  )
}
