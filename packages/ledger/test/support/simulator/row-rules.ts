import { StoreError } from '@tollgate/store/database/errors'
import { accountTable } from '../../../src/rows/tables.ts'
import { type Row, decodeRow } from './rows.ts'
import type { TableName } from './tables.ts'

export function keyOf(row: Row, columns: readonly string[]): string {
  return columns.map((column) => String(row[column])).join(' ')
}

export function listOf(list: unknown): readonly string[] {
  const values: unknown = JSON.parse(String(list))
  return Array.isArray(values) ? values.map(String) : []
}

/**
 * Constraints of the account table: granted + debt = remaining + reserved + used, no negative part, no debt
 * while quota remains, and no negative exposure.
 */
export function check(table: TableName, row: Row): void {
  if (table !== 'account') return
  const { granted, remaining, reserved, used, debt, exposed } = decodeRow(accountTable, row)
  const isSound =
    granted + debt === remaining + reserved + used &&
    [remaining, reserved, used, debt, exposed].every((part) => part >= 0n) &&
    (remaining === 0n || debt === 0n)
  if (!isSound) throw new StoreError('constraint', 'a check of the account table failed')
}
