import { StoreError } from '../database/errors.ts'
import { isMoneyColumn } from '../tables/money-columns.ts'

/** Types of values that are sent to a database, the same on every engine. */

export type BoundValue = null | number | bigint | string | Uint8Array

/**
 * Converts a value for the driver: booleans become 0 or 1, and integers bigint, because node:sqlite binds every
 * number as a float, and float arithmetic would lose units of money.
 */
export function toBound(value: unknown): BoundValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (value === null || typeof value === 'string' || typeof value === 'bigint') return value
  if (value instanceof Uint8Array) return value
  throw new StoreError('bug', `a ${value === undefined ? 'missing value' : typeof value} cannot be bound`)
}

/** A column of a result: its name, and the table column it comes from, if any. */
export interface ResultColumn {
  readonly name: string
  /** `undefined` for expressions. */
  readonly origin: string | undefined
}

/**
 * Converts an integer, or a sum of integers, from the engine's type to the type that the store's queries
 * promise.
 */
export type IntegerReader = (value: string | number) => BoundValue

export function integerReader({ name, origin }: ResultColumn): IntegerReader {
  if (isMoneyColumn(origin ?? name)) return (value) => (isWhole(value) ? BigInt(value) : Number(value))
  return (value) => toNumber(name, value)
}

function isWhole(value: string | number): boolean {
  return typeof value === 'number' ? Number.isInteger(value) : /^-?\d+$/.test(value)
}

function toNumber(name: string, value: string | number): number {
  const number = Number(value)
  if (Number.isSafeInteger(number) || !isWhole(value)) return number
  throw new StoreError('bug', `column ${name} is no money column but holds ${value}`)
}
