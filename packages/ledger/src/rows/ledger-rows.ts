import type { EntryKind } from '@tollgate/store/tables/ledger'
import type { SqliteValue } from '@tollgate/store/sqlite/connection'
import type { AccountState, EntryState, HoldState, TaskState } from '../core/state.ts'

/**
 * Converts rows of the ledger's tables, read as arrays in the order of the column lists. Amounts are bigint
 * on every engine. Other integers are bigint next to SQLite's writer and numbers from a server.
 */

type Row = readonly SqliteValue[]
type Cell = SqliteValue | undefined

export const ACCOUNT_COLUMNS =
  'id, granted, remaining, reserved, used, debt, followed, unlimited, version, open_holds, budget_since_ms, budget_base, ' +
  'exposed, paid'

export function toAccount(row: Row): AccountState {
  return {
    id: Number(row[0]),
    granted: amount(row[1]),
    remaining: amount(row[2]),
    reserved: amount(row[3]),
    used: amount(row[4]),
    debt: amount(row[5]),
    followed: amount(row[6]),
    isUnlimited: isSet(row[7]),
    version: Number(row[8]),
    openHolds: Number(row[9]),
    budgetSinceMs: Number(row[10]),
    budgetBase: amount(row[11]),
    exposed: amount(row[12]),
    hasPaid: isSet(row[13]),
  }
}

export const HOLD_COLUMNS =
  'id, user_acct, token_acct, token_followed, amount, ceiling, checkpoint, price_json, channel_id, instance_id, created_ms'

export function toHold(row: Row): HoldState {
  return {
    id: text(row[0]),
    userAccount: Number(row[1]),
    tokenAccount: optionalNumber(row[2]),
    isTokenFollowed: isSet(row[3]),
    amount: amount(row[4]),
    ceiling: amount(row[5]),
    checkpoint: amount(row[6]),
    priceJson: text(row[7]),
    channelId: optionalNumber(row[8]),
    instanceId: text(row[9]),
    createdMs: Number(row[10]),
  }
}

export const ENTRY_COLUMNS =
  'op_key, kind, request_id, task_id, user_acct, token_acct, channel_id, amount, flags, waived, balance_after, ' +
  'price_json, usage_json, note, created_ms'

export function toEntry(row: Row): EntryState {
  const flags = text(row[8])
  return {
    opKey: text(row[0]),
    kind: entryKind(text(row[1])),
    requestId: optionalText(row[2]),
    taskId: optionalText(row[3]),
    userAccount: Number(row[4]),
    tokenAccount: optionalNumber(row[5]),
    channelId: optionalNumber(row[6]),
    amount: amount(row[7]),
    flags: flags === '' ? [] : flags.split(','),
    waived: amount(row[9]),
    balanceAfter: typeof row[10] === 'bigint' ? row[10] : undefined,
    priceJson: optionalText(row[11]),
    usageJson: optionalText(row[12]),
    note: optionalText(row[13]),
    createdMs: Number(row[14]),
  }
}

export const TASK_COLUMNS = 'id, version'

export function toTask(row: Row): TaskState {
  return { id: Number(row[0]), version: Number(row[1]) }
}

export function amount(value: Cell): bigint {
  if (typeof value === 'bigint') return value
  throw new TypeError('an amount column holds an integer')
}

export function text(value: Cell): string {
  if (typeof value === 'string') return value
  throw new TypeError('a text column holds text')
}

function isSet(value: Cell): boolean {
  return value === 1n || value === 1
}

function optionalText(value: Cell): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function optionalNumber(value: Cell): number | undefined {
  return value === null || value === undefined ? undefined : Number(value)
}

/** Safe cast: a check constraint on the column allows no other value. */
function entryKind(value: string): EntryKind {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return value as EntryKind
}
