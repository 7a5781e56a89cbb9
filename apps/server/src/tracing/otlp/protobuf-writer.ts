/** Longest text that is tried as ASCII; one character is one byte then. */
const ASCII_MAX = 200
const LOW_BITS = 0x80
const WORD = 0x1_0000_0000

/** Wire types of https://protobuf.dev/programming-guides/encoding/. */
const VARINT = 0
const FIXED64 = 1
const DELIMITED = 2
const FIXED32 = 5

/** Writes fields of protocol buffers one after the other into memory that grows. */
export class ProtobufWriter {
  at: number
  #bytes: Uint8Array<ArrayBuffer>
  #view: DataView

  /** Leaves `start` bytes free for a head. */
  constructor(start: number, capacity: number) {
    this.at = start
    this.#bytes = new Uint8Array(capacity)
    this.#view = new DataView(this.#bytes.buffer)
  }

  get capacity(): number {
    return this.#bytes.length
  }

  /** The bytes from here; they change when the writer is used again. */
  bytes(from: number): Uint8Array {
    return this.#bytes.subarray(from, this.at)
  }

  /** Puts bytes where there is room for them. */
  place(bytes: Uint8Array, at: number): void {
    this.#bytes.set(bytes, at)
  }

  /** A whole number from 0. */
  unsigned(field: number, value: number): void {
    this.#ensure(20)
    this.#tag(field, VARINT)
    this.#varint(value)
  }

  /** An `int64` in the safe range. */
  signed(field: number, value: number): void {
    if (value >= 0) return this.unsigned(field, value)
    this.#ensure(20)
    this.#tag(field, VARINT)
    let rest = BigInt.asUintN(64, BigInt(value))
    for (; rest >= 128n; rest >>= 7n) this.#bytes[this.at++] = Number(rest & 127n) | LOW_BITS
    this.#bytes[this.at++] = Number(rest)
  }

  double(field: number, value: number): void {
    this.#ensure(16)
    this.#tag(field, FIXED64)
    this.#view.setFloat64(this.at, value, true)
    this.at += 8
  }

  fixed32(field: number, value: number): void {
    this.#ensure(16)
    this.#tag(field, FIXED32)
    this.#view.setUint32(this.at, value, true)
    this.at += 4
  }

  /** A wall time in milliseconds, as `fixed64`. */
  nanoseconds(field: number, ms: number): void {
    this.#ensure(16)
    this.#tag(field, FIXED64)
    this.setNanoseconds(this.at, ms)
    this.at += 8
  }

  /** `bytes` that consist of 32-bit words, highest byte first. */
  words(field: number, first: number, second: number): void {
    this.#ensure(16)
    this.#tag(field, DELIMITED)
    this.#bytes[this.at++] = 8
    this.#word(first)
    this.#word(second)
  }

  fourWords(field: number, [first, second, third, fourth]: readonly [number, number, number, number]): void {
    this.#ensure(24)
    this.#tag(field, DELIMITED)
    this.#bytes[this.at++] = 16
    this.#word(first)
    this.#word(second)
    this.#word(third)
    this.#word(fourth)
  }

  string(field: number, text: string): void {
    if (text.length <= ASCII_MAX && this.#asciiString(field, text)) return
    const bytes = Buffer.from(text)
    this.#ensure(bytes.length + 20)
    this.#tag(field, DELIMITED)
    this.#varint(bytes.length)
    this.#bytes.set(bytes, this.at)
    this.at += bytes.length
  }

  /** Begins a message; `close` gets what this returns. */
  open(field: number): number {
    this.#ensure(20)
    this.#tag(field, DELIMITED)
    return ++this.at
  }

  /** Ends the message that began there: writes its length, and moves it if that takes more than a byte. */
  close(start: number): void {
    const length = this.at - start
    const extra = varintBytes(length) - 1
    if (extra > 0) {
      this.#ensure(extra)
      this.#bytes.copyWithin(start + extra, start, this.at)
    }
    this.at = start - 1
    this.#varint(length)
    this.at += length
  }

  /** Appends bytes whose parts are then set. Returns where they begin. */
  append(bytes: Uint8Array): number {
    this.#ensure(bytes.length)
    const start = this.at
    this.#bytes.set(bytes, start)
    this.at += bytes.length
    return start
  }

  /** Highest byte first, as in ids. */
  setWord(at: number, word: number): void {
    this.#view.setUint32(at, word)
  }

  /** Nanoseconds do not fit into a double, so they are computed in two halves of 32 bits. */
  setNanoseconds(at: number, ms: number): void {
    const whole = Math.floor(ms)
    const nanoseconds = Math.round((ms - whole) * 1e6)
    const upper = Math.floor(whole / 65_536) * 1e6
    const lower = (upper % 65_536) * 65_536 + (whole % 65_536) * 1e6 + nanoseconds
    const carry = Math.floor(lower / WORD)
    this.#view.setUint32(at, lower - carry * WORD, true)
    this.#view.setUint32(at + 4, Math.floor(upper / 65_536) + carry, true)
  }

  setDouble(at: number, value: number): void {
    this.#view.setFloat64(at, value, true)
  }

  /** A whole number below 2³² in five bytes, also if fewer would do. */
  setWhole(at: number, value: number): void {
    const bytes = this.#bytes
    bytes[at] = value | LOW_BITS
    bytes[at + 1] = (value >>> 7) | LOW_BITS
    bytes[at + 2] = (value >>> 14) | LOW_BITS
    bytes[at + 3] = (value >>> 21) | LOW_BITS
    bytes[at + 4] = value >>> 28
  }

  /** Returns false if the text is not ASCII. */
  setText(at: number, text: string): boolean {
    const bytes = this.#bytes
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code >= LOW_BITS) return false
      bytes[at + index] = code
    }
    return true
  }

  #asciiString(field: number, text: string): boolean {
    const start = this.at
    this.#ensure(text.length + 20)
    this.#tag(field, DELIMITED)
    this.#varint(text.length)
    if (!this.setText(this.at, text)) {
      this.at = start
      return false
    }
    this.at += text.length
    return true
  }

  #tag(field: number, type: number): void {
    this.#varint(field * 8 + type)
  }

  #varint(value: number): void {
    let rest = value
    for (; rest >= WORD / 2; rest = Math.floor(rest / LOW_BITS))
      this.#bytes[this.at++] = (rest % LOW_BITS) | LOW_BITS
    for (; rest >= LOW_BITS; rest >>>= 7) this.#bytes[this.at++] = (rest & 0x7f) | LOW_BITS
    this.#bytes[this.at++] = rest
  }

  #word(word: number): void {
    this.#view.setUint32(this.at, word)
    this.at += 4
  }

  #ensure(bytes: number): void {
    if (this.at + bytes <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.at + bytes))
    larger.set(this.#bytes.subarray(0, this.at))
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
  }
}

/** Bytes of a whole number in the variable-length form. */
export function varintBytes(value: number): number {
  let bytes = 1
  for (let rest = value; rest >= LOW_BITS; rest = Math.floor(rest / LOW_BITS)) bytes++
  return bytes
}

/** Tag and length of a message, with its content where that is at hand. */
export function messageBytes(number: number, length: number, content: ArrayLike<number>): Uint8Array {
  const head = new Uint8Array(1 + varintBytes(length) + content.length)
  head[0] = number * 8 + DELIMITED
  let at = 1
  let rest = length
  for (; rest >= LOW_BITS; rest >>>= 7) head[at++] = (rest & 0x7f) | LOW_BITS
  head[at++] = rest
  head.set(content, at)
  return head
}
