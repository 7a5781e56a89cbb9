import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { LOG_COLUMNS } from '../rows/log-columns.ts'
import type { CallCheckpoint, JournalLine, OpenedCall, SettledCall } from './line.ts'
import { KIND, type LinePlace, RAW_TEXT, SEPARATOR } from './record.ts'

type Field = string | number | null | readonly (string | number | null)[]

/** A number, or a text where a double would not be exact. */
type ExactField = string | number

const EXACT_MAX = BigInt(Number.MAX_SAFE_INTEGER)

/** The index of a price in the file, or the price itself. */
export type PriceField = string | number

/** How the prices of a line are written. */
export interface LinePrices {
  readonly price: PriceField
  readonly partPrices: readonly PriceField[]
}

export function encodeLine(line: JournalLine, prices: LinePrices, copyOf?: readonly LinePlace[]): string {
  const texts: string[] = []
  const fields = JSON.stringify(listFields(line, prices, texts))
  const text = texts.length === 0 ? fields : fields + SEPARATOR + texts.join(SEPARATOR)
  return copyOf === undefined || copyOf.length === 0 ? text : JSON.stringify([copyOf]) + SEPARATOR + text
}

export function encodePrice(index: number, priceJson: string): string {
  const texts: string[] = []
  return (
    JSON.stringify([KIND.price, index, longText(priceJson, texts)]) +
    texts.map((text) => SEPARATOR + text).join('')
  )
}

export function hasPrice(line: JournalLine): line is Extract<JournalLine, { priceJson: string }> {
  return line.type === 'opened' || line.type === 'settled'
}

function listFields(line: JournalLine, { price, partPrices }: LinePrices, texts: string[]): Field[] {
  if (line.type === 'opened') return withFurther(openedFields(line, price), line.furtherPrices ?? NO_PRICES)
  if (line.type === 'checkpoint') return checkpointFields(line)
  if (line.type === 'settled') return withFurther(settledFields(line, price, texts), partPrices)
  return [KIND.released, line.holdId, line.endedMs, logFields(line.log, texts)]
}

const NO_PRICES: readonly PriceField[] = []

/**
 * Further prices come last, and only where there are any: the version before reads the values that it knows and
 * ignores the rest.
 */
function withFurther(fields: Field[], prices: readonly PriceField[]): Field[] {
  return prices.length === 0 ? fields : [...fields, prices]
}

function openedFields(line: OpenedCall, price: PriceField): Field[] {
  return [
    KIND.opened,
    line.holdId,
    line.userAccount,
    line.tokenAccount ?? null,
    line.isTokenFollowed ? 1 : 0,
    line.budgetSinceMs ?? null,
    exact(line.amount),
    exact(line.ceiling),
    price,
    line.createdMs,
  ]
}

function checkpointFields(line: CallCheckpoint): Field[] {
  return [
    KIND.checkpoint,
    line.holdId,
    exact(line.amount),
    exact(line.held),
    exact(line.ceiling),
    line.channelId ?? null,
  ]
}

function settledFields(line: SettledCall, price: PriceField, texts: string[]): Field[] {
  return [
    KIND.settled,
    line.holdId,
    line.userAccount,
    line.tokenAccount ?? null,
    line.isTokenFollowed ? 1 : 0,
    line.budgetSinceMs ?? null,
    exact(line.charged),
    exact(line.waived),
    exact(line.ceiling),
    line.flags,
    line.channelId ?? null,
    price,
    longText(line.usageJson, texts),
    line.endedMs,
    logFields(line.log, texts),
  ]
}

function logFields(row: UsageLogRow | undefined, texts: string[]): Field {
  if (row === undefined) return null
  return LOG_COLUMNS.map((column) => {
    const value = row[column]
    if (typeof value === 'bigint') return exact(value)
    return column === 'other' ? longText(row.other, texts) : (value ?? null)
  })
}

function exact(amount: bigint): ExactField {
  return amount <= EXACT_MAX && amount >= -EXACT_MAX ? Number(amount) : String(amount)
}

/** Puts the text behind the array if it survives there unescaped. */
function longText(text: string, texts: string[]): string | typeof RAW_TEXT {
  if (text.includes(SEPARATOR) || !text.isWellFormed()) return text
  texts.push(text)
  return RAW_TEXT
}
