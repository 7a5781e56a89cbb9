import { scanObject, type Member } from './json-scan.ts'

export interface TopLevelEdits {
  /** New value by member name; `undefined` removes the member. */
  readonly set: Readonly<Record<string, unknown>>
  readonly remove?: readonly string[]
  /** Members found by the scan made when the bytes were read; if absent, the bytes are scanned again. */
  readonly members?: readonly Member[]
}

/**
 * Changes members of a JSON object directly in its bytes. All other bytes stay as they came, so numbers like
 * `1.0` or `12345678901234567890`, white space and unknown members survive; without an edit the same buffer
 * is returned. `bytes` must be a JSON object that `JSON.parse` accepts. If an edited member is repeated, only
 * its last occurrence is kept.
 */
export function spliceTopLevel(bytes: Buffer, edits: TopLevelEdits): Buffer {
  return splice(bytes, edits, undefined)
}

export interface Spliced {
  readonly bytes: Buffer
  /** Positions of the members in the new bytes. */
  readonly members: readonly Member[]
}

/** Like {@link spliceTopLevel}, but also returns the new positions of the members, without a second scan. */
export function spliceMembers(bytes: Buffer, edits: TopLevelEdits): Spliced {
  const members: Member[] = []
  const spliced = splice(bytes, edits, members)
  return {
    bytes: spliced,
    members: spliced === bytes ? (edits.members ?? scanObject(bytes).members) : members,
  }
}

function splice(bytes: Buffer, edits: TopLevelEdits, moved: Member[] | undefined): Buffer {
  const values = encodeEdits(edits)
  if (values.size === 0) return bytes
  const members = edits.members ?? scanObject(bytes).members
  const output = new Copier(bytes)
  const lastPlaces = new Map(members.map(({ name }, index) => [name, index]))
  let hasKept = false
  for (const [index, member] of members.entries()) {
    const value = values.get(member.name)
    if (!values.has(member.name)) {
      moved?.push(movedBy(member, output.shift))
      hasKept = true
    } else if (value !== undefined && lastPlaces.get(member.name) === index) {
      moved?.push(movedBy({ ...member, valueEnd: member.valueStart + value.length }, output.shift))
      output.replace(member.valueStart, member.valueEnd, value)
      hasKept = true
    } else if (hasKept) {
      output.cut(members[index - 1]?.valueEnd ?? member.start, member.valueEnd)
    } else {
      output.cut(member.start, members[index + 1]?.start ?? member.valueEnd)
    }
  }
  for (const member of members) values.delete(member.name)
  output.skipTo(members.at(-1)?.valueEnd ?? bytes.indexOf('{') + 1)
  for (const [name, value] of values) {
    if (value === undefined) continue
    const comma = hasKept ? ',' : ''
    const head = Buffer.from(`${comma}${JSON.stringify(name)}:`)
    const start = output.length + comma.length
    const valueStart = output.length + head.length
    moved?.push({ name, start, valueStart, valueEnd: valueStart + value.length })
    output.insert(head, value)
    hasKept = true
  }
  return output.finish()
}

function movedBy({ name, start, valueStart, valueEnd }: Member, shift: number): Member {
  return { name, start: start + shift, valueStart: valueStart + shift, valueEnd: valueEnd + shift }
}

/** Copies the source from front to back, removing and inserting bytes on the way. */
class Copier {
  readonly #source: Buffer
  readonly #pieces: Buffer[] = []
  #at = 0
  /** Bytes written so far. */
  length = 0

  constructor(source: Buffer) {
    this.#source = source
  }

  /** Distance by which the rest of the source has moved in the output so far. */
  get shift(): number {
    return this.length - this.#at
  }

  skipTo(end: number): void {
    if (end <= this.#at) return
    this.#put(this.#source.subarray(this.#at, end))
    this.#at = end
  }

  cut(start: number, end: number): void {
    this.skipTo(start)
    this.#at = Math.max(this.#at, end)
  }

  replace(start: number, end: number, value: Buffer): void {
    this.cut(start, end)
    this.#put(value)
  }

  insert(...pieces: Buffer[]): void {
    for (const piece of pieces) this.#put(piece)
  }

  finish(): Buffer {
    this.skipTo(this.#source.length)
    return Buffer.concat(this.#pieces, this.length)
  }

  #put(piece: Buffer): void {
    this.#pieces.push(piece)
    this.length += piece.length
  }
}

/** `undefined` marks a removal. */
function encodeEdits(edits: TopLevelEdits): Map<string, Buffer | undefined> {
  const values = new Map<string, Buffer | undefined>()
  for (const name of edits.remove ?? []) values.set(name, undefined)
  for (const [name, value] of Object.entries(edits.set)) {
    const text: string | undefined = JSON.stringify(value)
    values.set(name, text === undefined ? undefined : Buffer.from(text))
  }
  return values
}
