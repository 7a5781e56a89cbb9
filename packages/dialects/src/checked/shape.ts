import { foldName } from '@tollgate/kit/fold-name'
import { invariant } from '@tollgate/kit/invariant'
import type { MemberEffect, MemberRow } from '@tollgate/catalogue/members/member-row'
import { isAt } from '../bytes-at.ts'

/** A member of one type of object, as its row of the catalogue describes it. */
export class CheckedMember {
  /** The spelling that error messages use. */
  readonly name: string
  readonly spellings: readonly string[]
  /** Index among the strict members of its object; -1 for the others. */
  readonly index: number
  readonly row: MemberRow
  readonly #inside: (() => CheckedShape) | undefined

  constructor(row: MemberRow, index: number, inside: (() => CheckedShape) | undefined) {
    this.spellings = row.name.split('|')
    this.name = this.spellings[0] ?? row.name
    this.index = index
    this.row = row
    this.#inside = inside
  }

  get effect(): MemberEffect {
    return this.row.effect
  }

  /** Whether the member has one accepted spelling and may occur once, because its value decides something. */
  get isStrict(): boolean {
    return this.index >= 0
  }

  /** Shape of the value if it is an object, or of each object if it is a list. */
  get inside(): CheckedShape | undefined {
    return this.#inside?.()
  }
}

/** Maximum strict members of a shape: the set of members already seen is a bit set in two numbers. */
export const MEMBERS_MAX = 62

interface Spelling {
  readonly bytes: Buffer
  readonly member: CheckedMember
}

const TEXTS: ReadonlySet<string> = new Set(['metadata', 'sequential_image_generation_options'])
const PLACES = 512

export interface ShapeOptions {
  /** Returns the shape of another object type. */
  readonly findShape: (object: string) => CheckedShape
  /** Names that no row knows are not reported; only those that choose are. */
  readonly isOpen?: boolean
}

/** Finds the members of one type of object by exact spelling, or by the folded name. */
export class CheckedShape {
  readonly members: readonly CheckedMember[]
  /** Those that may also be given as a string containing JSON. All other strings are plain text. */
  readonly textMembers: readonly CheckedMember[]
  readonly isOpen: boolean
  readonly #exact = new Map<string, CheckedMember>()
  readonly #folded = new Map<string, CheckedMember>()
  readonly #places: (Spelling[] | undefined)[] = Array.from({ length: PLACES }, () => undefined)

  constructor(rows: readonly MemberRow[], { findShape, isOpen = false }: ShapeOptions) {
    this.isOpen = isOpen
    let strict = 0
    this.members = rows.map((row) => {
      const { inside } = row
      const index = row.effect === 'plain' || row.effect === 'routes' ? -1 : strict++
      return new CheckedMember(row, index, inside === undefined ? undefined : () => findShape(inside))
    })
    this.textMembers = this.members.filter(({ name }) => TEXTS.has(name))
    invariant(strict <= MEMBERS_MAX, 'a shape has at most 62 strict members')
    for (const member of this.members) for (const spelling of member.spellings) this.#add(spelling, member)
  }

  #add(spelling: string, member: CheckedMember): void {
    const key = foldName(spelling)
    invariant((this.#folded.get(key) ?? member) === member, `two judged members fold to ${key}`)
    this.#folded.set(key, member)
    this.#exact.set(spelling, member)
    const bytes = Buffer.from(spelling)
    const samePlace = (this.#places[hashName(bytes, 0, bytes.length)] ??= [])
    samePlace.push({ bytes, member })
  }

  /** Looks up a name without escapes by its bytes; `undefined` if it is not an accepted spelling. */
  at(bytes: Buffer, start: number, end: number): CheckedMember | undefined {
    const candidates = this.#places[hashName(bytes, start, end)]
    if (candidates === undefined) return undefined
    for (const { bytes: spelling, member } of candidates)
      if (spelling.length === end - start && isAt(bytes, start, spelling)) return member
    return undefined
  }

  exactly(name: string): CheckedMember | undefined {
    return this.#exact.get(name)
  }

  folded(key: string): CheckedMember | undefined {
    return this.#folded.get(key)
  }
}

/** Spreads names over the places by their length and by their first and last byte. */
function hashName(bytes: Buffer, start: number, end: number): number {
  return ((end - start) * 37 + (bytes[start] ?? 0) * 11 + (bytes[end - 1] ?? 0)) & (PLACES - 1)
}
