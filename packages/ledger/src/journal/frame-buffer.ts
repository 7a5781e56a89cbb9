import { StoreError } from '@tollgate/store/database/errors'
import { encodeLine, encodePrice, hasPrice, type LinePrices, type PriceField } from './encode-line.ts'
import { FRAME_BYTES_MAX, FRAME_HEAD_BYTES, writeFrameHead } from './frame.ts'
import type { JournalLine } from './line.ts'
import type { LinePlace } from './record.ts'

/** Further prices stand in their lines. */
const PRICES_MAX = 1_024
const TABLE_PRICE_CHARACTERS_MAX = 16_384
const BUFFER_BYTES_MIN = 256 * 1024
const UTF8_BYTES_MAX = 3

/** Encodes lines as the next frames of one file. A price is written once per file, before its first line. */
export class FrameBuffer {
  /** The number of the next frame. */
  sequence = 1
  #bytes: Buffer
  #length: number
  readonly #prices = new Map<string, number>()

  /** @param reserved Bytes left free at the beginning, for the header. */
  constructor(reserved: number) {
    this.#bytes = Buffer.allocUnsafe(BUFFER_BYTES_MIN)
    this.#length = reserved
  }

  get length(): number {
    return this.#length
  }

  /** Valid until the next call. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }

  append(line: JournalLine, copyOf?: readonly LinePlace[]): void {
    const prices = this.#linePrices(line)
    if (this.#frame(encodeLine(line, prices, copyOf))) return
    if (this.#frame(encodeLine(withoutLogTexts(line), prices, copyOf))) return
    throw new StoreError(
      'bug',
      `a journal line of the call ${line.holdId} is longer than ${FRAME_BYTES_MAX} bytes`,
    )
  }

  #linePrices(line: JournalLine): LinePrices {
    if (!hasPrice(line)) return NO_PRICES
    const price = this.#priceField(line.priceJson)
    const partPrices = line.type === 'settled' ? line.partPrices : undefined
    return { price, partPrices: partPrices?.map((json) => this.#priceField(json)) ?? NO_PRICES.partPrices }
  }

  #priceField(priceJson: string): PriceField {
    const known = this.#prices.get(priceJson)
    if (known !== undefined) return known
    const index = this.#prices.size
    if (index >= PRICES_MAX || priceJson.length > TABLE_PRICE_CHARACTERS_MAX) return priceJson
    this.#frame(encodePrice(index, priceJson))
    this.#prices.set(priceJson, index)
    return index
  }

  /** Returns `false` and writes nothing if the frame would be too long. */
  #frame(text: string): boolean {
    const at = this.#length
    this.#makeRoom(FRAME_HEAD_BYTES + text.length * UTF8_BYTES_MAX)
    const payloadBytes = this.#bytes.write(text, at + FRAME_HEAD_BYTES)
    if (FRAME_HEAD_BYTES + payloadBytes > FRAME_BYTES_MAX) return false
    this.#length = writeFrameHead(this.#bytes, { at, sequence: this.sequence, payloadBytes })
    this.sequence++
    return true
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

const NO_PRICES: LinePrices = { price: 0, partPrices: [] }

/** A charge must not be lost because its log row is too long. */
function withoutLogTexts(line: JournalLine): JournalLine {
  if ((line.type !== 'settled' && line.type !== 'released') || line.log === undefined) return line
  return { ...line, log: { ...line.log, content: '', other: '{}' } }
}
