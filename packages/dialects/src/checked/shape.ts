import { invariant } from '@tollgate/kit/invariant'
import { isAt } from '../bytes-at.ts'
import { foldName, isPlain } from '@tollgate/kit/fold-name'

/**
 * Member names of one type of object, each with the shape of its value: `null` if nothing inside is judged, a
 * function if the shape contains itself. `a|b`: both spellings are official, but only one may be used at a
 * time.
 */
export type CheckedSpec = Readonly<Record<string, Inside>>

type Inside = CheckedShape | (() => CheckedShape) | null

/** A member whose value decides price, limits, routing or refusal. */
export class CheckedMember {
  /** The spelling that error messages use. */
  readonly name: string
  readonly spellings: readonly string[]
  /** Index among the members of its object. */
  readonly index: number
  readonly #inside: Inside

  constructor(name: string, index: number, inside: Inside) {
    this.spellings = name.split('|')
    this.name = this.spellings[0] ?? name
    this.index = index
    this.#inside = inside
  }

  /** Shape of the value if it is an object, or of each object if it is a list. */
  get inside(): CheckedShape | undefined {
    return (typeof this.#inside === 'function' ? this.#inside() : this.#inside) ?? undefined
  }
}

/** Maximum members of a shape: the set of members already seen is a bit set in two numbers. */
export const MEMBERS_MAX = 62

const OTHER_LENGTH_MAX = 32
const OTHERS_OF_LENGTH_MAX = 4

interface Spelling {
  readonly bytes: Buffer
  readonly member: CheckedMember
}

const TEXTS: ReadonlySet<string> = new Set(['metadata', 'sequential_image_generation_options'])

/** Finds the judged members of one type of object by exact spelling, or by the folded name. */
export class CheckedShape {
  readonly members: readonly CheckedMember[]
  /** Those that may also be given as a string containing JSON. All other strings are plain text. */
  readonly textMembers: readonly CheckedMember[]
  readonly #exact = new Map<string, CheckedMember>()
  readonly #folded = new Map<string, CheckedMember>()
  readonly #byLength: Spelling[][] = []
  /** Names of members that are not judged, by their length. */
  readonly #others: Buffer[][] = []

  constructor(spec: CheckedSpec) {
    this.members = Object.entries(spec).map(([name, inside], index) => new CheckedMember(name, index, inside))
    this.textMembers = this.members.filter(({ name }) => TEXTS.has(name))
    invariant(this.members.length <= MEMBERS_MAX, 'a shape has at most 62 judged members')
    for (const member of this.members) for (const spelling of member.spellings) this.#add(spelling, member)
  }

  #add(spelling: string, member: CheckedMember): void {
    const key = foldName(spelling)
    invariant((this.#folded.get(key) ?? member) === member, `two judged members fold to ${key}`)
    this.#folded.set(key, member)
    this.#exact.set(spelling, member)
    const bytes = Buffer.from(spelling)
    const sameLength = (this.#byLength[bytes.length] ??= [])
    sameLength.push({ bytes, member })
  }

  /** Looks up a name without escapes by its bytes; `undefined` if it is not an accepted spelling. */
  at(bytes: Buffer, start: number, end: number): CheckedMember | undefined {
    const candidates = this.#byLength[end - start]
    if (candidates === undefined) return undefined
    for (const { bytes: wanted, member } of candidates) if (isAt(bytes, start, wanted)) return member
    return undefined
  }

  /** Whether a name without escapes was found before to be no spelling of a judged member. */
  isOther(bytes: Buffer, start: number, end: number): boolean {
    const known = this.#others[end - start]
    if (known === undefined) return false
    for (const name of known) if (isAt(bytes, start, name)) return true
    return false
  }

  /**
   * Remembers such a name, because most requests have the same ones. Callers can send any name, so there are few
   * places, and no name leaves its place.
   */
  noteOther(name: string): void {
    if (name.length > OTHER_LENGTH_MAX || !isPlain(name)) return
    const known = (this.#others[name.length] ??= [])
    if (known.length < OTHERS_OF_LENGTH_MAX) known.push(Buffer.from(name))
  }

  exactly(name: string): CheckedMember | undefined {
    return this.#exact.get(name)
  }

  folded(key: string): CheckedMember | undefined {
    return this.#folded.get(key)
  }
}

export function shape(spec: CheckedSpec): CheckedShape {
  return new CheckedShape(spec)
}
