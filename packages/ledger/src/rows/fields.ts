import type { SqliteValue } from '@tollgate/store/sqlite/connection'
import type { Field } from './table.ts'

/**
 * Kinds of columns. Amounts are bigint on every engine. Other integers are bigint next to SQLite's writer and
 * numbers from a server.
 */

type Cell = SqliteValue | undefined

export function money(column: string): Field<bigint> {
  return { column, word: 'int8', encode: (value) => value, decode: amount }
}

export function optionalMoney(column: string): Field<bigint | undefined> {
  return {
    column,
    word: 'int8',
    encode: (value) => value ?? null,
    decode: (cell) => (typeof cell === 'bigint' ? cell : undefined),
  }
}

export function integer(column: string): Field<number> {
  return { column, word: 'int8', encode: (value) => value, decode: Number }
}

export function optionalInteger(column: string): Field<number | undefined> {
  return {
    column,
    word: 'int8',
    encode: (value) => value ?? null,
    decode: (cell) => (cell === null || cell === undefined ? undefined : Number(cell)),
  }
}

export function flag(column: string): Field<boolean> {
  return {
    column,
    word: 'int4',
    encode: (value) => (value ? 1 : 0),
    decode: (cell) => cell === 1n || cell === 1,
  }
}

export function key(column: string): Field<string> {
  return { column, word: 'key', encode: (value) => value, decode: text }
}

export function longText(column: string): Field<string> {
  return { column, word: 'text', encode: (value) => value, decode: text }
}

export function optionalKey(column: string): Field<string | undefined> {
  return { ...optionalLongText(column), word: 'key' }
}

export function optionalLongText(column: string): Field<string | undefined> {
  return {
    column,
    word: 'text',
    encode: (value) => value ?? null,
    decode: (cell) => (typeof cell === 'string' ? cell : undefined),
  }
}

export function amount(value: Cell): bigint {
  if (typeof value === 'bigint') return value
  throw new TypeError('an amount column holds an integer')
}

export function text(value: Cell): string {
  if (typeof value === 'string') return value
  throw new TypeError('a text column holds text')
}
