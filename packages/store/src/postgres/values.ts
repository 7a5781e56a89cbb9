import type { FieldDef } from 'pg'
import type { SqliteValue } from '../sqlite/connection.ts'
import { type BoundValue, integerReader } from '../server/values.ts'
import type { ColumnNames } from './column-names.ts'

/**
 * Converts text from the wire to the type that the store's queries promise. The numbers are PostgreSQL's own
 * type ids.
 */
export type Reader = (text: string) => SqliteValue

const BOOL = 16
const BYTEA = 17
const INTEGERS = new Set([20, 21, 23, 26, 1700])
const FLOATS = new Set([700, 701])

export function readerOf(field: FieldDef, names: ColumnNames): Reader {
  const type = field.dataTypeID
  if (INTEGERS.has(type))
    return integerReader({ name: field.name, origin: names.of(field.tableID, field.columnID) })
  if (FLOATS.has(type)) return Number
  if (type === BOOL) return (text) => (text === 't' ? 1 : 0)
  if (type === BYTEA) return (text) => Buffer.from(text.slice(2), 'hex')
  return (text) => text
}

/** PostgreSQL text cannot contain NUL, so NUL is replaced by U+FFFD. The other engines store it. */
export function toWire(value: BoundValue): string | Uint8Array | null {
  if (value === null || value instanceof Uint8Array) return value
  if (typeof value !== 'string') return String(value)
  return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
}
