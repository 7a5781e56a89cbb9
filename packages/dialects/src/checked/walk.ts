import { isChoosingName } from '@tollgate/catalogue/members/choosing-name'
import { foldName, isPlain } from '@tollgate/kit/fold-name'
import type { MemberFindings, NameFinding, NamingMember } from './findings.ts'
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
/** Limit for names that no row has as they are written: two full objects of them, because reading them takes time. */
const READ_NAMES_MAX = 20_000
/** More members that name models, or more names that nobody knows, are refused. */
const NAMING_MAX = 64
const FINDINGS_MAX = 1_000
const BITS = MEMBERS_MAX / 2

/** What a name that is no accepted spelling was found to be. */
type ReadName =
  | { readonly type: 'member'; readonly member: CheckedMember }
  | { readonly type: 'finding'; readonly finding: NameFinding }
  /** In an object that nobody knows: harmless itself, but its value is walked through. */
  | { readonly type: 'open' }

const OPEN: ReadName = { type: 'open' }

/** One open object or list whose members are judged. */
class Level {
  readonly shape: CheckedShape
  readonly isObject: boolean
  /** The member whose value is being read. */
  member: CheckedMember | undefined
  /** The name of the member whose value is being read, or the index in a list. */
  step: string | number = 0
  /** Nobody knows the member whose value is being read. */
  isUnknown = false
  /** The finding to which the member that is being read belongs, and where it begins. */
  finding: NameFinding | undefined
  start = 0
  /**
   * Bit set of the strict members seen so far in the object: the first 31 here, the rest in `#seenBeyond`.
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
 * Follows a scan through the judged parts of a body. It records the first odd member, members that are taken
 * out, members that no row knows, and those that name models. Names below a member of the caller's own
 * content are not read.
 */
export class CheckedWalk {
  readonly #bytes: Buffer
  readonly #unknownInside: CheckedShape
  readonly #levels: Level[] = []
  /** Names that are no accepted spelling, by shape. */
  #read: Map<CheckedShape, Map<string, ReadName>> | undefined
  #readNames = 0
  #foreignNames = 0
  #isName = false
  #names: NameFinding[] | undefined
  #naming: NamingMember[] | undefined
  odd: SuspectMember | undefined

  constructor(bytes: Buffer, root: CheckedShape, unknownInside: CheckedShape) {
    this.#bytes = bytes
    this.#unknownInside = unknownInside
    this.#enter(root, true)
  }

  /** Whether the next string is a member name in an object whose members are judged. */
  get isName(): boolean {
    return this.#isName
  }

  /** `undefined` when every name is known and none names a model, as in nearly all requests. */
  get findings(): MemberFindings | undefined {
    if (this.#names === undefined && this.#naming === undefined) return undefined
    return { names: this.#names ?? [], naming: this.#naming ?? [] }
  }

  /**
   * Returns false if nothing inside the container is judged; then the walk must not be called for its
   * content, nor for its closing bracket.
   */
  open(isObject: boolean): boolean {
    const level = this.#levels.at(-1)
    this.#isName = false
    if (level === undefined || this.odd !== undefined) return false
    const inside = this.#inside(level)
    if (inside === undefined) return false
    this.#enter(inside, isObject)
    return true
  }

  #inside(level: Level): CheckedShape | undefined {
    if (!level.isObject) return level.shape
    return level.isUnknown ? this.#unknownInside : level.member?.inside
  }

  #enter(shape: CheckedShape, isObject: boolean): void {
    this.#levels.push(new Level(shape, isObject))
    this.#isName = isObject
  }

  /** Called with the position of the comma. */
  comma(at: number): void {
    const level = this.#levels.at(-1)
    if (level === undefined) return
    this.#isName = level.isObject
    if (level.finding !== undefined) endFinding(level, at)
    if (!level.isObject && typeof level.step === 'number') level.step++
  }

  /** Called with the position of the closing bracket. */
  close(at: number): void {
    this.#isName = false
    const level = this.#levels.pop()
    if (level?.finding !== undefined) endFinding(level, at)
  }

  /** Called with the position of a name, including both quotes. */
  name(start: number, end: number): void {
    this.#isName = false
    const level = this.#levels.at(-1)
    if (level === undefined || this.odd !== undefined) return
    level.isUnknown = false
    const member = level.shape.at(this.#bytes, start + 1, end - 1)
    level.member = member
    if (member !== undefined) this.#meet(level, member, start)
    else this.#readOther(level, start, end)
  }

  #readOther(level: Level, start: number, end: number): void {
    if (end - start > NAME_BYTES_MAX)
      return this.#note('unreadable', undefined, this.#text(start, start + 64))
    const name = this.#decoded(start, end)
    const member = level.shape.exactly(name)
    level.step = name
    level.member = member
    if (member !== undefined) return this.#meet(level, member, start)
    const read = this.#lookUp(level, name)
    if (this.#isBeyond()) return this.#note('unreadable', undefined, name.slice(0, 64))
    if (read.type === 'member') return this.#meetMisspelled(level, read.member, name, start)
    level.isUnknown = true
    if (read.type === 'finding') beginFinding(level, read.finding, start)
  }

  #lookUp(level: Level, name: string): ReadName {
    const { shape } = level
    this.#read ??= new Map()
    const names = this.#read.get(shape) ?? new Map<string, ReadName>()
    const cached = names.get(name)
    if (cached !== undefined) return cached
    if (!isPlain(name)) this.#foreignNames++
    this.#readNames++
    const read = this.#readName(shape, name)
    names.set(name, read)
    this.#read.set(shape, names)
    return read
  }

  #isBeyond(): boolean {
    const { length } = this.#names ?? []
    return this.#foreignNames > FOREIGN_NAMES_MAX || this.#readNames > READ_NAMES_MAX || length > FINDINGS_MAX
  }

  #readName(shape: CheckedShape, name: string): ReadName {
    const member = shape.folded(foldName(name))
    if (member !== undefined) return { type: 'member', member }
    if (isChoosingName(name)) return { type: 'finding', finding: this.#finding('chooses', name) }
    return shape.isOpen ? OPEN : { type: 'finding', finding: this.#finding('unknown', name) }
  }

  #finding(kind: NameFinding['kind'], name: string): NameFinding {
    const finding = { kind, param: [...this.#path(), name].join('.'), ranges: [] }
    this.#names ??= []
    this.#names.push(finding)
    return finding
  }

  /** Names of the open members, without list indexes. */
  #path(): readonly string[] {
    return this.#levels
      .slice(0, -1)
      .flatMap(({ isObject, step, member }) => (isObject ? [member?.name ?? String(step)] : []))
  }

  #meet(level: Level, member: CheckedMember, start: number): void {
    level.step = member.name
    if (member.isStrict) {
      if (level.hasSeen(member)) this.#note('repeated', member, member.name)
      level.mark(member)
    }
    if (member.effect === 'names') this.#noteNaming(level, member)
    else if (member.effect === 'routes') this.#meetRouting(level, member, start)
  }

  /** Another spelling of a member. Only where the value decides nothing may it be written in several ways. */
  #meetMisspelled(level: Level, member: CheckedMember, name: string, start: number): void {
    level.member = member
    if (member.isStrict) this.#note(level.hasSeen(member) ? 'repeated' : 'misspelled', member, name)
    else if (member.effect === 'routes') this.#meetRouting(level, member, start)
  }

  #meetRouting(level: Level, { name }: CheckedMember, start: number): void {
    const key = `\n${name}`
    this.#read ??= new Map()
    const names = this.#read.get(level.shape) ?? new Map<string, ReadName>()
    this.#read.set(level.shape, names)
    const cached = names.get(key)
    const finding = cached?.type === 'finding' ? cached.finding : this.#finding('routes', name)
    if (cached === undefined) names.set(key, { type: 'finding', finding })
    beginFinding(level, finding, start)
  }

  #noteNaming(level: Level, member: CheckedMember): void {
    this.#naming ??= []
    if (this.#naming.length === NAMING_MAX) return this.#note('unreadable', member, member.name)
    const path = this.#levels.slice(0, -1).map(({ step }) => step)
    this.#naming.push({ member, path: [...path, level.step] })
  }

  #note(type: SuspectMember['type'], member: CheckedMember | undefined, written: string): void {
    this.odd = { type, param: [...this.#path(), member?.name ?? written].join('.'), written }
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

function beginFinding(level: Level, finding: NameFinding, start: number): void {
  level.finding = finding
  level.start = start
}

function endFinding(level: Level, at: number): void {
  level.finding?.ranges.push(level.start, at)
  level.finding = undefined
}
