import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { SettleFlag } from '../inputs.ts'
import type { JournalLine } from './line.ts'
import { KIND, type LinePlace, LOST_PRICE_JSON, RAW_TEXT, SEPARATOR } from './record.ts'

export interface DecodedLine {
  readonly line: JournalLine
  readonly copyOf: readonly LinePlace[]
  /** The frame with the price of the line was damaged; the line has {@link LOST_PRICE_JSON}. */
  readonly isPriceLost: boolean
}

export interface DecodeContext {
  readonly logColumns: readonly string[]
  readonly prices: ReadonlyMap<number, string>
}

type BigintColumn = {
  [Column in keyof UsageLogRow]-?: bigint extends UsageLogRow[Column] ? Column : never
}[keyof UsageLogRow]

/** JSON has no type for them. */
const BIGINT_COLUMNS: Readonly<Record<BigintColumn, true>> = {
  quota: true,
  cost: true,
  cache_saved: true,
}

/** Throws if the payload is no line of this format. */
export function decodeLine(payload: Buffer, { logColumns, prices }: DecodeContext): DecodedLine {
  const [first = '', ...others] = payload.toString().split(SEPARATOR)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- encodeLine wrote the frame, its CRC was verified
  const fields = JSON.parse(first) as unknown[]
  if (Array.isArray(fields[0])) {
    const [second = '', ...texts] = others
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    const record = new FieldReader(JSON.parse(second) as unknown[], texts, prices)
    const line = lineFrom(record, logColumns)
    return { line, copyOf: fields[0], isPriceLost: record.isPriceLost }
  }
  const record = new FieldReader(fields, others, prices)
  return { line: lineFrom(record, logColumns), copyOf: [], isPriceLost: record.isPriceLost }
}

export function isPrice(payload: Buffer): boolean {
  return payload.toString('latin1', 0, 3) === `[${KIND.price},`
}

export function decodePrice(payload: Buffer): { index: number; priceJson: string } {
  const [first = '', ...texts] = payload.toString().split(SEPARATOR)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- encodePrice wrote the frame
  const record = new FieldReader(JSON.parse(first) as unknown[], texts, new Map())
  record.next()
  return { index: record.number(), priceJson: record.longText() }
}

/** Reads the values of an array in their order. */
class FieldReader {
  isPriceLost = false
  readonly #fields: readonly unknown[]
  readonly #texts: readonly string[]
  readonly #prices: ReadonlyMap<number, string>
  #field = 0
  #text = 0

  constructor(fields: readonly unknown[], texts: readonly string[], prices: ReadonlyMap<number, string>) {
    this.#fields = fields
    this.#texts = texts
    this.#prices = prices
  }

  next(): unknown {
    if (this.#field >= this.#fields.length) throw new RangeError('a line of a journal is too short')
    return this.#fields[this.#field++]
  }

  number(): number {
    return required('number', this.next())
  }

  string(): string {
    return required('string', this.next())
  }

  optionalNumber(): number | undefined {
    const value = this.next()
    return value === null ? undefined : required('number', value)
  }

  isSet(): boolean {
    return this.number() === 1
  }

  amount(): bigint {
    return amountFrom(this.next())
  }

  longText(): string {
    return this.textFrom(this.next())
  }

  /** The text that stands behind the array, if the value says so. */
  textFrom(value: unknown): string {
    return required('string', value === RAW_TEXT ? this.#texts[this.#text++] : value)
  }

  price(): string {
    return this.#priceFrom(this.next())
  }

  /** The list at the end of a line; lines of the version before have none. */
  furtherPrices(): readonly string[] | undefined {
    return this.#further()?.map((price) => this.#priceFrom(price))
  }

  furtherHashes(): readonly string[] | undefined {
    return this.#further()?.map((hash) => required('string', hash))
  }

  #further(): readonly unknown[] | undefined {
    if (this.#field >= this.#fields.length) return undefined
    const list = this.next()
    if (!Array.isArray(list)) throw new RangeError('further prices in a journal are no list')
    return list
  }

  #priceFrom(price: unknown): string {
    if (typeof price === 'string') return price
    const priceJson = this.#prices.get(required('number', price))
    this.isPriceLost ||= priceJson === undefined
    return priceJson ?? LOST_PRICE_JSON
  }
}

function lineFrom(record: FieldReader, logColumns: readonly string[]): JournalLine {
  const kind = record.number()
  switch (kind) {
    case KIND.opened:
      return {
        type: 'opened',
        holdId: record.string(),
        userAccount: record.number(),
        tokenAccount: record.optionalNumber(),
        isTokenFollowed: record.isSet(),
        budgetSinceMs: record.optionalNumber(),
        amount: record.amount(),
        ceiling: record.amount(),
        priceJson: record.price(),
        createdMs: record.number(),
        furtherPrices: record.furtherHashes(),
      }
    case KIND.checkpoint:
      return {
        type: 'checkpoint',
        holdId: record.string(),
        amount: record.amount(),
        held: record.amount(),
        ceiling: record.amount(),
        channelId: record.optionalNumber(),
      }
    case KIND.settled:
      return {
        type: 'settled',
        holdId: record.string(),
        userAccount: record.number(),
        tokenAccount: record.optionalNumber(),
        isTokenFollowed: record.isSet(),
        budgetSinceMs: record.optionalNumber(),
        charged: record.amount(),
        waived: record.amount(),
        ceiling: record.amount(),
        flags: flagsFrom(record.next()),
        channelId: record.optionalNumber(),
        priceJson: record.price(),
        usageJson: record.longText(),
        endedMs: record.number(),
        log: logFrom(record, logColumns),
        partPrices: record.furtherPrices(),
      }
    case KIND.released:
      return {
        type: 'released',
        holdId: record.string(),
        endedMs: record.number(),
        log: logFrom(record, logColumns),
      }
    default:
      throw new RangeError(`a journal has a line of the unknown kind ${kind}`)
  }
}

/** A file of an earlier version may lack columns; they are absent in the row then. */
function logFrom(record: FieldReader, columns: readonly string[]): UsageLogRow | undefined {
  const values = record.next()
  if (values === null) return undefined
  if (!Array.isArray(values) || values.length !== columns.length)
    throw new RangeError('a log row does not fit the columns of its journal')
  const row: Record<string, unknown> = {}
  for (const [index, column] of columns.entries()) row[column] = logValue(record, column, values[index])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns are those of the row that was encoded
  return row as unknown as UsageLogRow
}

function logValue(record: FieldReader, column: string, value: unknown): unknown {
  if (column === 'other') return record.textFrom(value)
  return Object.hasOwn(BIGINT_COLUMNS, column) && value !== null ? amountFrom(value) : value
}

function flagsFrom(value: unknown): readonly SettleFlag[] {
  if (!Array.isArray(value)) throw new RangeError('flags in a journal are no list')
  return value
}

function amountFrom(value: unknown): bigint {
  return BigInt(typeof value === 'string' ? value : required('number', value))
}

interface Types {
  readonly number: number
  readonly string: string
}

function required<Name extends keyof Types>(type: Name, value: unknown): Types[Name] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- compared at run time
  if (typeof value === type) return value as Types[Name]
  throw new RangeError(`a value in a journal is not a ${type}`)
}
