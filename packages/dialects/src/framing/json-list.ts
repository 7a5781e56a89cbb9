const QUOTE = 0x22
const BACKSLASH = 0x5c
const LIST = 0x5b
const OPENING: ReadonlySet<number> = new Set([LIST, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/**
 * Splits a JSON list of objects into its items, wherever its bytes are cut. An item over the limit is skipped
 * and not buffered. Never throws: bytes that are not a list yield no items.
 */
export class JsonListReader {
  readonly #itemBytesMax: number
  #isNone = false
  #depth = 0
  #isInText = false
  #isEscaped = false
  #isTooLong = false
  #held: Buffer[] = []
  #heldBytes = 0

  constructor(options: { readonly itemBytesMax: number }) {
    this.#itemBytesMax = options.itemBytesMax
  }

  /** Returns the items that have become complete. */
  push(chunk: Buffer): Buffer[] {
    const items: Buffer[] = []
    if (this.#isNone) return items
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const before = this.#depth
      this.#step(chunk[at] ?? 0)
      if (before === 1 && this.#depth === 2) start = at
      if (before !== 2 || this.#depth !== 1) continue
      this.#hold(chunk.subarray(start, at + 1))
      items.push(...this.#taken())
      start = at + 1
    }
    if (this.#depth > 1) this.#hold(chunk.subarray(start))
    return items
  }

  #step(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (this.#isInText) {
      if (byte === BACKSLASH) this.#isEscaped = true
      else if (byte === QUOTE) this.#isInText = false
    } else if (byte === QUOTE) this.#isInText = true
    else if (OPENING.has(byte)) this.#open(byte)
    else if (CLOSING.has(byte)) this.#depth--
  }

  #open(byte: number): void {
    this.#isNone ||= this.#depth === 0 && byte !== LIST
    if (!this.#isNone) this.#depth++
  }

  #hold(piece: Buffer): void {
    this.#heldBytes += piece.length
    this.#isTooLong ||= this.#heldBytes > this.#itemBytesMax
    if (this.#isTooLong) this.#held = []
    else if (piece.length > 0) this.#held.push(Buffer.from(piece))
  }

  #taken(): Buffer[] {
    const items = this.#isTooLong ? [] : [Buffer.concat(this.#held)]
    this.#held = []
    this.#heldBytes = 0
    this.#isTooLong = false
    return items
  }
}
