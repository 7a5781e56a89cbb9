import mysql, { type FieldPacket } from 'mysql2'
import type { SqliteValue } from '../sqlite/connection.ts'
import { type BoundValue, integerReader } from '../server/values.ts'

/** The driver loads this class anew at each access, which takes longer than sending a value. */
const { TypedParameter } = mysql

/**
 * Converts a value from the driver to the type that the store's queries promise. The numbers are MySQL's own
 * type codes.
 */
export type Reader = (value: unknown) => SqliteValue

/** The type codes of decimal, tiny, short, long, longlong, int24, year, newdecimal. */
const INTEGERS = new Set([0, 1, 2, 3, 8, 9, 13, 246])

export function readerOf(field: FieldPacket): Reader {
  if (!INTEGERS.has(field.columnType ?? -1)) return asValue
  const read = integerReader({ name: field.name, origin: field.orgName === '' ? undefined : field.orgName })
  return (value) => (typeof value === 'number' || typeof value === 'string' ? read(value) : asValue(value))
}

function asValue(value: unknown): SqliteValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(`a ${typeof value} came from the database`)
}

/** An integer sent as text would be compared as a float. */
export function toWire(value: BoundValue): unknown {
  if (typeof value === 'bigint') return TypedParameter.BIGINT(value)
  return value instanceof Uint8Array ? Buffer.from(value) : value
}
