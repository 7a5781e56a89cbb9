import { invariant } from '@tollgate/kit/invariant'
import type { NewWork } from '@tollgate/store/operations/outbox'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { SqliteConnection } from '@tollgate/store/sqlite/connection'
import type { TaskEnd } from '../inputs.ts'
import { accountKind, accountOwner } from '../core/account-kind.ts'
import type { AccountState, Changes, ChargedTask, EntryState, HoldState } from '../core/state.ts'
import { LOG_COLUMNS } from '../rows/log-columns.ts'
import { bindLog } from './log-wire.ts'
import { NOTICE_NAMES, noticeRow } from '../rows/notice-rows.ts'
import { TASK_CHANGED, TASK_NAMES, endedTaskRow, taskRow } from '../rows/task-rows.ts'

/** Writes the changes of a batch. Each statement must affect exactly one row. */
export class SqliteChanges {
  readonly #statements: ReturnType<typeof prepareAll>

  constructor(connection: SqliteConnection) {
    this.#statements = prepareAll(connection)
  }

  write(changes: Changes): void {
    for (const account of changes.newAccounts) this.#insertAccount(account)
    for (const account of changes.changedAccounts) this.#updateAccount(account)
    for (const id of changes.endedHolds) expectOne(this.#statements.deleteHold.run(id))
    for (const hold of changes.newHolds) this.#insertHold(hold)
    for (const hold of changes.changedHolds) this.#updateHold(hold)
    for (const entry of changes.entries) this.#insertEntry(entry)
    for (const row of changes.logs) this.#writeLog(row)
    for (const task of changes.newTasks) this.#insertTask(task)
    for (const end of changes.endedTasks) this.#endTask(end)
    for (const notice of changes.notices) this.#queue(notice)
  }

  #insertAccount(account: AccountState): void {
    const { granted, remaining, reserved, used, debt, followed, budgetBase, exposed } = account
    this.#statements.insertAccount.run(
      BigInt(account.id),
      accountKind(account.id),
      BigInt(accountOwner(account.id)),
      granted,
      remaining,
      reserved,
      used,
      debt,
      followed,
      account.isUnlimited ? 1n : 0n,
      BigInt(account.version),
      BigInt(account.openHolds),
      BigInt(account.budgetSinceMs),
      budgetBase,
      exposed,
      account.hasPaid ? 1n : 0n,
    )
  }

  #updateAccount(account: AccountState): void {
    const { granted, remaining, reserved, used, debt, followed, budgetBase, exposed } = account
    const changed = this.#statements.updateAccount.run(
      granted,
      remaining,
      reserved,
      used,
      debt,
      followed,
      account.isUnlimited ? 1n : 0n,
      BigInt(account.version),
      BigInt(account.openHolds),
      BigInt(account.budgetSinceMs),
      budgetBase,
      exposed,
      account.hasPaid ? 1n : 0n,
      BigInt(account.id),
      BigInt(account.version - 1),
    )
    expectOne(changed)
  }

  #insertHold(hold: HoldState): void {
    this.#statements.insertHold.run(
      hold.id,
      BigInt(hold.userAccount),
      optionalInteger(hold.tokenAccount),
      hold.isTokenFollowed ? 1n : 0n,
      hold.amount,
      hold.ceiling,
      hold.checkpoint,
      hold.priceJson,
      optionalInteger(hold.channelId),
      hold.instanceId,
      BigInt(hold.createdMs),
    )
  }

  #updateHold(hold: HoldState): void {
    const changed = this.#statements.updateHold.run(
      hold.isTokenFollowed ? 1n : 0n,
      hold.amount,
      hold.ceiling,
      hold.checkpoint,
      optionalInteger(hold.channelId),
      hold.id,
    )
    expectOne(changed)
  }

  #insertEntry(entry: EntryState): void {
    this.#statements.insertEntry.run(
      entry.opKey,
      entry.kind,
      entry.requestId ?? null,
      entry.taskId ?? null,
      BigInt(entry.userAccount),
      optionalInteger(entry.tokenAccount),
      optionalInteger(entry.channelId),
      entry.amount,
      entry.flags.join(','),
      entry.waived,
      entry.balanceAfter ?? null,
      entry.priceJson ?? null,
      entry.usageJson ?? null,
      entry.note ?? null,
      BigInt(entry.createdMs),
    )
  }

  #insertTask(task: ChargedTask): void {
    const row = taskRow(task)
    this.#statements.insertTask.run(...TASK_NAMES.map((name) => bound(row[name])))
  }

  #endTask(end: TaskEnd): void {
    const row = endedTaskRow(end)
    const values = TASK_CHANGED.map((name) => bound(row[name]))
    expectOne(this.#statements.endTask.run(...values, BigInt(end.id), BigInt(end.version)))
  }

  #queue(notice: NewWork): void {
    const row = noticeRow(notice)
    this.#statements.queue.run(...NOTICE_NAMES.map((name) => bound(row[name])))
  }

  #writeLog(row: UsageLogRow): void {
    this.#statements.writeLog.run(...bindLog(row))
    if (row.username === '' && row.request_id !== null) this.#statements.nameLog.run(row.request_id)
  }
}

function prepareAll(connection: SqliteConnection) {
  const columns = LOG_COLUMNS.join(', ')
  return {
    insertAccount: connection.prepare(
      `insert into account (id, kind, owner_id, granted, remaining, reserved, used, debt, followed, unlimited, version,
       open_holds, budget_since_ms, budget_base, exposed, paid) values (${marks(16)})`,
    ),
    updateAccount: connection.prepare(
      `update account set granted = ?, remaining = ?, reserved = ?, used = ?, debt = ?, followed = ?, unlimited = ?,
       version = ?, open_holds = ?, budget_since_ms = ?, budget_base = ?, exposed = ?, paid = ? where id = ? and version = ?`,
    ),
    insertHold: connection.prepare(
      `insert into hold (id, user_acct, token_acct, token_followed, amount, ceiling, checkpoint, price_json, channel_id,
       instance_id, created_ms) values (${marks(11)})`,
    ),
    updateHold: connection.prepare(
      'update hold set token_followed = ?, amount = ?, ceiling = ?, checkpoint = ?, channel_id = ? where id = ?',
    ),
    deleteHold: connection.prepare('delete from hold where id = ?'),
    insertEntry: connection.prepare(
      `insert into entry (op_key, kind, request_id, task_id, user_acct, token_acct, channel_id, amount, flags, waived,
       balance_after, price_json, usage_json, note, created_ms) values (${marks(15)})`,
    ),
    // An upsert, so that a log row never keeps a charge from being written: a late settlement replaces the
    // log row of the recovery.
    writeLog: connection.prepare(
      `insert into logs (${columns}) values (${marks(LOG_COLUMNS.length)})
       on conflict (request_id) do update set (${columns}) = (${LOG_COLUMNS.map((name) => `excluded.${name}`).join(', ')})`,
    ),
    insertTask: connection.prepare(
      `insert into tasks (${TASK_NAMES.join(', ')}) values (${marks(TASK_NAMES.length)})`,
    ),
    endTask: connection.prepare(
      `update tasks set ${TASK_CHANGED.map((name) => `${name} = ?`).join(', ')} where id = ? and version = ?`,
    ),
    queue: connection.prepare(
      `insert into outbox (${NOTICE_NAMES.join(', ')}) values (${marks(NOTICE_NAMES.length)}) on conflict (cause) do nothing`,
    ),
    nameLog: connection.prepare(
      `update logs set username = coalesce((select username from users where users.id = logs.user_id), ''),
       token_name = coalesce((select name from tokens where tokens.id = logs.token_id), '') where request_id = ?`,
    ),
  }
}

function marks(count: number): string {
  return Array<string>(count).fill('?').join(', ')
}

function bound(value: string | number | bigint): string | bigint {
  return typeof value === 'number' ? BigInt(value) : value
}

function optionalInteger(value: number | undefined): bigint | null {
  return value === undefined ? null : BigInt(value)
}

function expectOne(changed: bigint): void {
  invariant(changed === 1n, 'a change of the ledger hits exactly one row')
}
