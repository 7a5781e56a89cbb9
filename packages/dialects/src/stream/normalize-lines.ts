import { CR, DATA, LF } from './sse-line.ts'

const SPACE = 0x20
const TAB = 0x09
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING: ReadonlySet<number> = new Set(Buffer.from('{['))
const CLOSING: ReadonlySet<number> = new Set(Buffer.from('}]'))
/** Bytes of a byte order mark, of which some may have been taken off already. */
const MARK: ReadonlySet<number> = new Set(Buffer.from('\ufeff'))

/** Whether a stream begins within a byte order mark; no line of an event stream begins with these bytes. */
export function hasMarkAtStart(chunk: Buffer): boolean {
  return MARK.has(chunk[0] ?? 0)
}

/**
 * Whether a CR ends a line by itself. A CR at the end of the chunk does not count, because its LF may be in
 * the next one.
 */
export function hasBareReturn(chunk: Buffer): boolean {
  for (let at = chunk.indexOf(CR); at >= 0 && at + 1 < chunk.length; at = chunk.indexOf(CR, at + 2))
    if (chunk[at + 1] !== LF) return true
  return false
}

/** Whether a payload has more than the one space that may precede it, or not the one that it needs. */
export function hasOddIndent(bytes: Buffer, payload: number, needsSpace: boolean): boolean {
  return bytes[payload] === SPACE ? bytes[payload + 1] === SPACE : needsSpace
}

/** Follows a JSON text byte by byte, to tell where it is whole. */
class JsonNesting {
  #depth = 0
  #isString = false
  #isEscaped = false

  get isOpen(): boolean {
    return this.#depth > 0
  }

  reset(): void {
    this.#depth = 0
    this.#isString = false
    this.#isEscaped = false
  }

  note(byte: number): void {
    if (this.#isString) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === BACKSLASH) this.#isEscaped = true
      else if (byte === QUOTE) this.#isString = false
    } else if (byte === QUOTE) this.#isString = this.#depth > 0
    else if (OPENING.has(byte)) this.#depth++
    else if (CLOSING.has(byte) && this.#depth > 0) this.#depth--
  }
}

/** Whether a JSON text begins in this line and does not end in it. */
export function hasOpenJson(bytes: Buffer, start: number, end: number): boolean {
  const nesting = new JsonNesting()
  for (let at = start; at < end; at++) nesting.note(bytes[at] ?? 0)
  return nesting.isOpen
}

export interface NormalizerOptions {
  /** Whether the stream was read as plain up to the middle of a line, which goes on as it is. Default false. */
  readonly isInsideLine?: boolean
  /** Whether the lines before ended with CR LF, so that the others shall. Default false. */
  readonly usesCrLf?: boolean
}

const LF_ALONE = Buffer.from('\n')
const CR_LF = Buffer.from('\r\n')

/**
 * Rewrites an event stream in any form that the WHATWG standard permits
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html, read 2026-11-29) as one with LF or CR LF, one data
 * line per JSON text and one space before it. Bytes leave as soon as they are read; nothing is collected.
 *
 * A data line is continued by the next one only while its JSON text is open, because some vendors omit the
 * blank line between events. A line break inside a JSON text is white space, so it becomes a space.
 */
export class LineNormalizer {
  readonly #nesting = new JsonNesting()
  #state: 'mark' | 'name' | 'space' | 'data' | 'other' | 'skipped' = 'mark'
  /** Bytes of the field name that were read and may still become `data:`. */
  #matched = 0
  #isAfterReturn = false
  readonly #newline: Buffer
  #output = Buffer.alloc(0)
  #length = 0

  constructor({ isInsideLine = false, usesCrLf = false }: NormalizerOptions = {}) {
    if (isInsideLine) this.#state = 'other'
    this.#newline = usesCrLf ? CR_LF : LF_ALONE
  }

  push(chunk: Buffer): Buffer {
    // A line shorter than the field name that it is compared with is the only text that grows.
    this.#output = Buffer.allocUnsafe(chunk.length * 2 + DATA.length + CR_LF.length)
    this.#length = 0
    for (const byte of chunk) this.#read(byte)
    return this.#output.subarray(0, this.#length)
  }

  #read(byte: number): void {
    const isSecondHalf = this.#isAfterReturn && byte === LF
    this.#isAfterReturn = byte === CR
    if (isSecondHalf) return
    if (byte === CR || byte === LF) this.#endLine()
    else this.#readInLine(byte)
  }

  #readInLine(byte: number): void {
    switch (this.#state) {
      case 'mark':
        if (MARK.has(byte)) return
        this.#state = 'name'
        return this.#matchName(byte)
      case 'name':
        return this.#matchName(byte)
      case 'space':
        if (byte === SPACE || byte === TAB) return
        this.#state = 'data'
        return this.#writeData(byte)
      case 'data':
        return this.#writeData(byte)
      case 'other':
        return this.#write(byte)
      case 'skipped':
        return
    }
  }

  /** Compares the beginning of a line with `data:`. */
  #matchName(byte: number): void {
    if (byte === DATA[this.#matched]) {
      this.#matched++
      if (this.#matched < DATA.length) return
      this.#matched = 0
      this.#state = 'space'
      if (this.#nesting.isOpen) this.#write(SPACE)
      else this.#writeAll(DATA_AND_SPACE)
      return
    }
    if (this.#nesting.isOpen) this.#state = 'skipped'
    else {
      this.#writeAll(DATA.subarray(0, this.#matched))
      this.#write(byte)
      this.#state = 'other'
    }
    this.#matched = 0
  }

  #endLine(): void {
    const isBlank = (this.#state === 'name' || this.#state === 'mark') && this.#matched === 0
    if (!this.#nesting.isOpen) {
      if (this.#state === 'name') this.#writeAll(DATA.subarray(0, this.#matched))
      this.#writeAll(this.#newline)
    } else if (isBlank) {
      // The event ended before its JSON text did.
      this.#nesting.reset()
      this.#writeAll(this.#newline)
      this.#writeAll(this.#newline)
    }
    this.#matched = 0
    this.#state = 'name'
  }

  #writeData(byte: number): void {
    this.#nesting.note(byte)
    this.#write(byte)
  }

  #writeAll(bytes: Buffer): void {
    for (const byte of bytes) this.#write(byte)
  }

  #write(byte: number): void {
    this.#output[this.#length++] = byte
  }
}

const DATA_AND_SPACE = Buffer.from('data: ')
