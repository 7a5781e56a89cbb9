import { invariant } from '@tollgate/kit/invariant'
import type { Payload } from '@tollgate/store/sqlite/engine'

/** Values of the compact protocol between the main thread and the writer thread: nested arrays. */
export type WireValue = string | number | null | readonly WireValue[]

/**
 * Long texts of a message. They are sent next to its JSON, so that JSON-valued texts need no escaping, and
 * one text with two-byte characters does not turn the whole message into a two-byte string.
 */
export class WireTexts {
  readonly #texts: string[] = ['']
  readonly #shared = new Map<string, number>()

  /** Adds a text; the returned index stands for it in the JSON. */
  own(text: string): WireValue {
    return this.#texts.push(text) - 1
  }

  /**
   * Same as `own`, for a text that several commands of the message are likely to contain: it is sent once.
   */
  shared(text: string): WireValue {
    const known = this.#shared.get(text)
    if (known !== undefined) return known
    this.#shared.set(text, this.#texts.length)
    return this.own(text)
  }

  sharedList(texts: readonly string[] | undefined): WireValue {
    return texts?.map((text) => this.shared(text)) ?? null
  }

  /** Builds the whole message: the JSON, followed by the texts. */
  beside(values: readonly WireValue[]): readonly string[] {
    return this.#texts.with(0, JSON.stringify(values))
  }
}

/** Amounts are sent as numbers when they are safe integers, otherwise as strings. */
export function wireAmount(amount: bigint): WireValue {
  const number = Number(amount)
  return Number.isSafeInteger(number) ? number : String(amount)
}

export function parseWire(text: string): readonly WireValue[] {
  const parsed: unknown = JSON.parse(text)
  invariant(Array.isArray(parsed), 'the wire carries arrays')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON holds nothing else but objects and booleans, and we send none
  return parsed as readonly WireValue[]
}

/** Reads an array from left to right and checks the type of each value. */
export class WireReader {
  readonly #values: readonly WireValue[]
  readonly #texts: readonly string[]
  #next = 0

  constructor(values: WireValue, texts: readonly string[] = []) {
    invariant(Array.isArray(values), 'an array was sent')
    this.#values = values
    this.#texts = texts
  }

  /** Parses a message, with or without long texts. */
  static parse(payload: Payload): WireReader {
    const texts = typeof payload === 'string' ? [payload] : payload
    return new WireReader(parseWire(texts[0] ?? ''), texts)
  }

  text(): string {
    const value = this.#take()
    invariant(typeof value === 'string', 'text was sent')
    return value
  }

  /** Resolves a text that {@link WireTexts} added. */
  longText(): string {
    const text = this.#texts[this.number()]
    invariant(text !== undefined, 'the text was sent beside')
    return text
  }

  optionalLongText(): string | undefined {
    const index = this.optionalNumber()
    return index === undefined ? undefined : this.#texts[index]
  }

  optionalLongTexts(): readonly string[] | undefined {
    const value = this.#take()
    if (!Array.isArray(value)) return undefined
    return new WireReader(value, this.#texts).#longTexts()
  }

  #longTexts(): readonly string[] {
    return this.#values.map(() => this.longText())
  }

  optionalText(): string | undefined {
    const value = this.#take()
    return typeof value === 'string' ? value : undefined
  }

  number(): number {
    const value = this.#take()
    invariant(typeof value === 'number', 'a number was sent')
    return value
  }

  optionalNumber(): number | undefined {
    const value = this.#take()
    return typeof value === 'number' ? value : undefined
  }

  amount(): bigint {
    const value = this.#take()
    invariant(typeof value === 'number' || typeof value === 'string', 'an amount was sent')
    return BigInt(value)
  }

  optionalAmount(): bigint | undefined {
    const value = this.#take()
    return typeof value === 'number' || typeof value === 'string' ? BigInt(value) : undefined
  }

  flag(): boolean {
    return this.#take() === 1
  }

  list(): readonly WireValue[] {
    const value = this.#take()
    invariant(Array.isArray(value), 'a list was sent')
    return value
  }

  /** One reader for each array within the array. */
  readers(): readonly WireReader[] {
    return this.list().map((value) => new WireReader(value, this.#texts))
  }

  optionalReader(): WireReader | undefined {
    const value = this.#take()
    return Array.isArray(value) ? new WireReader(value, this.#texts) : undefined
  }

  #take(): WireValue {
    return this.#values[this.#next++] ?? null
  }
}
