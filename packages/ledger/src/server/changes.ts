import { accountKind, accountOwner } from '../core/account-kind.ts'
import type { AccountState, Changes, EntryState, HoldState } from '../core/state.ts'
import { LOG_COLUMNS } from '../rows/log-columns.ts'
import { noticeRow } from '../rows/notice-rows.ts'
import { endedTaskRow, taskRow } from '../rows/task-rows.ts'
import { type JsonRow, jsonRows } from './json-rows.ts'
import type { Statement, Statements } from './statements.ts'
import { totalsDeltaOf } from './totals-delta.ts'

export interface Write {
  readonly statement: Statement
  readonly parameter: string
  /** Number of rows that the statement must affect; `undefined` when it may vary. */
  readonly rows: number | undefined
}

/**
 * Turns the changes of a batch into as few statements as possible, in an order that satisfies the
 * constraints.
 */
export function writesOf(changes: Changes, statements: Statements): readonly Write[] {
  const writes = [
    rows(statements.insertAccounts, changes.newAccounts.map(accountRow)),
    rows(statements.updateAccounts, changes.changedAccounts.map(accountRow)),
    rows(
      statements.deleteHolds,
      changes.endedHolds.map((id) => ({ id })),
    ),
    rows(statements.insertHolds, changes.newHolds.map(holdRow)),
    rows(statements.updateHolds, changes.changedHolds.map(changedHoldRow)),
    rows(statements.insertEntries, changes.entries.map(entryRow)),
    { ...rows(statements.writeLogs, logRows(changes)), rows: undefined },
    rows(statements.insertTasks, changes.newTasks.map(taskRow)),
    rows(
      statements.endTasks,
      changes.endedTasks.map((end) => ({ ...endedTaskRow(end) })),
    ),
    { ...rows(statements.queueNotices, changes.notices.map(noticeRow)), rows: undefined },
    rows(statements.insertTally, tallyRows(changes.entries)),
  ]
  return writes.filter(({ parameter }) => parameter !== '[]')
}

function rows(statement: Statement, list: readonly JsonRow[]): Write {
  return { statement, parameter: jsonRows(list), rows: list.length }
}

function accountRow(account: AccountState): JsonRow {
  const { id, granted, remaining, reserved, used, debt, followed, isUnlimited, version } = account
  const { openHolds, budgetSinceMs, budgetBase, exposed, hasPaid } = account
  return {
    id,
    kind: accountKind(id),
    owner_id: accountOwner(id),
    granted,
    remaining,
    reserved,
    used,
    debt,
    followed,
    unlimited: isUnlimited ? 1 : 0,
    version,
    open_holds: openHolds,
    budget_since_ms: budgetSinceMs,
    budget_base: budgetBase,
    exposed,
    paid: hasPaid ? 1 : 0,
  }
}

function holdRow(hold: HoldState): JsonRow {
  return {
    id: hold.id,
    user_acct: hold.userAccount,
    token_acct: hold.tokenAccount ?? null,
    token_followed: hold.isTokenFollowed ? 1 : 0,
    amount: hold.amount,
    ceiling: hold.ceiling,
    checkpoint: hold.checkpoint,
    price_json: hold.priceJson,
    channel_id: hold.channelId ?? null,
    instance_id: hold.instanceId,
    created_ms: hold.createdMs,
  }
}

function changedHoldRow({ id, isTokenFollowed, amount, ceiling, checkpoint, channelId }: HoldState): JsonRow {
  const token_followed = isTokenFollowed ? 1 : 0
  return { id, token_followed, amount, ceiling, checkpoint, channel_id: channelId ?? null }
}

function entryRow(entry: EntryState): JsonRow {
  return {
    op_key: entry.opKey,
    kind: entry.kind,
    request_id: entry.requestId ?? null,
    task_id: entry.taskId ?? null,
    user_acct: entry.userAccount,
    token_acct: entry.tokenAccount ?? null,
    channel_id: entry.channelId ?? null,
    amount: entry.amount,
    flags: entry.flags.join(','),
    waived: entry.waived,
    balance_after: entry.balanceAfter ?? null,
    price_json: entry.priceJson ?? null,
    usage_json: entry.usageJson ?? null,
    note: entry.note ?? null,
    created_ms: entry.createdMs,
  }
}

/** One row per request: an engine refuses to upsert the same row twice in one statement. */
function logRows({ logs }: Changes): readonly JsonRow[] {
  const last = new Map(logs.map((row) => [row.request_id, row]))
  return [...last.values()].map((row) =>
    Object.fromEntries(LOG_COLUMNS.map((column) => [column, row[column] ?? null] as const)),
  )
}

function tallyRows(entries: readonly EntryState[]): readonly JsonRow[] {
  return totalsDeltaOf(entries).map(({ subject, used, calls, lastMs }) => ({
    subject,
    used,
    calls,
    last_ms: lastMs,
  }))
}
