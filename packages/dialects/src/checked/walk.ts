import { foldName, isPlain } from '@tollgate/kit/fold-name'
import { MEMBERS_MAX, type CheckedMember, type CheckedShape } from './shape.ts'

/**
 * A name that some upstream could read as a judged member, but which has an unaccepted spelling or is a
 * repetition.
 */
export interface SuspectMember {
  readonly type: 'misspelled' | 'repeated' | 'unreadable'
  /** Path of the judged member, such as `generationConfig.maxOutputTokens`. */
  readonly param: string
  /** The name as the caller wrote it. */
  readonly written: string
}

/**
 * Maximum bytes of a name. No API has a name of that length, even if every character is written as an escape
 * of six bytes.
 */
const NAME_BYTES_MAX = 1024
/** Limit for names with letters beyond ASCII: they are slow to fold, and no API has that many. */
const FOREIGN_NAMES_MAX = 1_000
const FOLDED_MAX = 10_000
const BITS = MEMBERS_MAX / 2

/** One open object or list whose members are judged. */
class Level {
  readonly shape: CheckedShape
  readonly isObject: boolean
  /** The judged member whose value is being read. */
  member: CheckedMember | undefined
  /**
   * Bit set of the judged members seen so far in the object: the first 31 here, the rest in `#seenBeyond`.
   */
  #seen = 0
  #seenBeyond = 0

  constructor(shape: CheckedShape, isObject: boolean) {
    this.shape = shape
    this.isObject = isObject
  }

  hasSeen({ index }: CheckedMember): boolean {
    return index < BITS ? (this.#seen & (1 << index)) !== 0 : (this.#seenBeyond & (1 << (index - BITS))) !== 0
  }

  mark({ index }: CheckedMember): void {
    if (index < BITS) this.#seen |= 1 << index
    else this.#seenBeyond |= 1 << (index - BITS)
  }
}

/**
 * Follows a scan through the judged parts of a body and records the first odd member. Names below a member
 * that is not judged are not read.
 */
export class CheckedWalk {
  readonly #bytes: Buffer
  readonly #levels: Level[] = []
  /** Cache of folded names, for names that are not an accepted spelling. */
  #folded: Map<string, string> | undefined
  #foreignNames = 0
  #isName = false
  odd: SuspectMember | undefined

  constructor(bytes: Buffer, root: CheckedShape) {
    this.#bytes = bytes
    this.#enter(root, true)
  }

  /** Whether the next string is a member name in an object whose members are judged. */
  get isName(): boolean {
    return this.#isName
  }

  /**
   * Returns false if nothing inside the container is judged; then the walk must not be called for its
   * content, nor for its closing bracket.
   */
  open(isObject: boolean): boolean {
    const level = this.#levels.at(-1)
    const inside = level?.isObject === false ? level.shape : level?.member?.inside
    this.#isName = false
    if (inside === undefined || this.odd !== undefined) return false
    this.#enter(inside, isObject)
    return true
  }

  #enter(shape: CheckedShape, isObject: boolean): void {
    this.#levels.push(new Level(shape, isObject))
    this.#isName = isObject
  }

  comma(): void {
    this.#isName = this.#levels.at(-1)?.isObject === true
  }

  close(): void {
    this.#isName = false
    this.#levels.pop()
  }

  /** Called with the position of a name, including both quotes. */
  name(start: number, end: number): void {
    this.#isName = false
    const level = this.#levels.at(-1)
    if (level === undefined || this.odd !== undefined) return
    const { shape } = level
    level.member = shape.at(this.#bytes, start + 1, end - 1)
    if (level.member !== undefined) return this.#meet(level, level.member)
    if (shape.isOther(this.#bytes, start + 1, end - 1)) return
    if (end - start > NAME_BYTES_MAX)
      return this.#note('unreadable', undefined, this.#text(start, start + 64))
    const name = this.#decoded(start, end)
    level.member = shape.exactly(name)
    if (level.member !== undefined) return this.#meet(level, level.member)
    const meant = shape.folded(this.#fold(name))
    if (meant !== undefined) this.#note(level.hasSeen(meant) ? 'repeated' : 'misspelled', meant, name)
    else if (this.#foreignNames > FOREIGN_NAMES_MAX) this.#note('unreadable', undefined, name.slice(0, 64))
    else if (name.length === end - start - 2) shape.noteOther(name)
  }

  #fold(name: string): string {
    this.#folded ??= new Map()
    const known = this.#folded.get(name)
    if (known !== undefined) return known
    if (!isPlain(name)) this.#foreignNames++
    const key = foldName(name)
    if (this.#folded.size < FOLDED_MAX) this.#folded.set(name, key)
    return key
  }

  #meet(level: Level, member: CheckedMember): void {
    if (level.hasSeen(member)) this.#note('repeated', member, member.name)
    level.mark(member)
  }

  #note(type: SuspectMember['type'], member: CheckedMember | undefined, written: string): void {
    const path = this.#levels.slice(0, -1).flatMap((level) => level.member?.name ?? [])
    this.odd = { type, param: [...path, member?.name ?? written].join('.'), written }
  }

  #text(start: number, end: number): string {
    return this.#bytes.toString('utf8', start + 1, end - 1)
  }

  #decoded(start: number, end: number): string {
    const raw = this.#text(start, end)
    if (!raw.includes('\\')) return raw
    try {
      return String(JSON.parse(`"${raw}"`))
    } catch {
      return raw
    }
  }
}
