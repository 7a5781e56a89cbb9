import { invariant } from '@tollgate/kit/invariant'
import { isAt } from '../bytes-at.ts'
import { foldName } from './fold-name.ts'

/**
 * Members of one kind of object by their names, each with the shape of what is inside: `null` where nothing inside is
 * judged, a function where the shape contains itself. `a|b`: both spellings are official, each alone.
 */
export type JudgedSpec = Readonly<Record<string, Inside>>

type Inside = JudgedShape | (() => JudgedShape) | null

/** A member whose value decides price, limits, routing or refusal. */
export class JudgedMember {
  /** The spelling that a refusal names. */
  readonly name: string
  readonly spellings: readonly string[]
  /** Among the members of its object. */
  readonly index: number
  readonly #inside: Inside

  constructor(name: string, index: number, inside: Inside) {
    this.spellings = name.split('|')
    this.name = this.spellings[0] ?? name
    this.index = index
    this.#inside = inside
  }

  /** How the value is judged if it is an object, and each object if it is a list. */
  get inside(): JudgedShape | undefined {
    return (typeof this.#inside === 'function' ? this.#inside() : this.#inside) ?? undefined
  }
}

/** So that those which were met fit into two numbers. */
export const MEMBERS_MAX = 62

interface Spelling {
  readonly bytes: Buffer
  readonly member: JudgedMember
}

/** Finds judged members of one kind of object by an exact spelling, or by what a name folds to. */
export class JudgedShape {
  readonly members: readonly JudgedMember[]
  readonly #exact = new Map<string, JudgedMember>()
  readonly #folded = new Map<string, JudgedMember>()
  readonly #byLength: Spelling[][] = []

  constructor(spec: JudgedSpec) {
    this.members = Object.entries(spec).map(([name, inside], index) => new JudgedMember(name, index, inside))
    invariant(this.members.length <= MEMBERS_MAX, 'a shape has at most 62 judged members')
    for (const member of this.members) for (const spelling of member.spellings) this.#add(spelling, member)
  }

  #add(spelling: string, member: JudgedMember): void {
    const key = foldName(spelling)
    invariant((this.#folded.get(key) ?? member) === member, `two judged members fold to ${key}`)
    this.#folded.set(key, member)
    this.#exact.set(spelling, member)
    const bytes = Buffer.from(spelling)
    const sameLength = (this.#byLength[bytes.length] ??= [])
    sameLength.push({ bytes, member })
  }

  /** By the bytes of a name without escapes; `undefined`: not one of the accepted spellings. */
  at(bytes: Buffer, start: number, end: number): JudgedMember | undefined {
    const candidates = this.#byLength[end - start]
    if (candidates === undefined) return undefined
    for (const { bytes: wanted, member } of candidates) if (isAt(bytes, start, wanted)) return member
    return undefined
  }

  exactly(name: string): JudgedMember | undefined {
    return this.#exact.get(name)
  }

  /** By what a name folds to. */
  folded(key: string): JudgedMember | undefined {
    return this.#folded.get(key)
  }
}
