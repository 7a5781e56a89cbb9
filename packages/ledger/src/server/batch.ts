import { invariant } from '@tollgate/kit/invariant'
import type { QueryAnswer, ServerConnection } from '@tollgate/store/server/connection'
import type { CommandContext, Command, Decision } from '../core/command.ts'
import { decideBatch } from '../core/decide.ts'
import { footprintOf } from '../core/footprint.ts'
import type { Changes } from '../core/state.ts'
import type { AccountId } from '../account.ts'
import type { RowTable } from '../rows/table.ts'
import {
  accountTable,
  allotmentTable,
  entryTable,
  holdTable,
  journalTable,
  taskTable,
} from '../rows/tables.ts'
import { type Write, writesOf } from './changes.ts'
import { LoadedSource } from './loaded-source.ts'
import type { Statement, Statements } from './statements.ts'

export interface BatchInput {
  readonly connection: ServerConnection
  readonly statements: Statements
  /** Number of the batch; it increases with every batch of an instance. */
  readonly number: number
  readonly commands: readonly Command[]
  readonly circumstances: CommandContext
  /** Accounts that the commands are known to touch, in addition to those named in their input. */
  readonly accounts: ReadonlySet<AccountId>
  /** Filters out commands that became pointless while they waited. */
  readonly stillWanted?: (command: Command, source: LoadedSource) => boolean
  /** JSON of prices that earlier transactions on this connection wrote. */
  readonly knownPrices: ReadonlySet<string>
  /**
   * Called after the decision, before the changes are written. If the transaction commits, this is its
   * outcome.
   */
  readonly onDecided: (decided: DecidedCommands) => void
}

export interface DecidedCommands {
  readonly commands: readonly Command[]
  readonly decisions: readonly Decision[]
  readonly changes: Changes
}

export interface WrittenCommands extends DecidedCommands {
  readonly hasWritten: boolean
}

/**
 * Another node declared this instance dead and is recovering its holds. The instance has to register again.
 */
export class DeclaredDead extends Error {
  override readonly name = 'DeclaredDead'
}

/**
 * Holds or entries refer to accounts that are not locked; the batch must be retried with these accounts too.
 */
export class MoreAccounts extends Error {
  override readonly name = 'MoreAccounts'
  readonly accounts: readonly AccountId[]

  constructor(accounts: readonly AccountId[]) {
    super('the batch touches more accounts than were known')
    this.accounts = accounts
  }
}

/**
 * Runs one transaction: locks all accounts in id order, reads, decides the commands in order of arrival, and
 * writes the net changes. When it rejects, nothing was changed, unless the connection broke after
 * `onDecided`: then the batch number in the instance's row shows whether it was committed.
 */
export async function runBatch(input: BatchInput): Promise<WrittenCommands> {
  try {
    const source = await lockAndRead(input)
    const decided = decide(input, source)
    input.onDecided(decided)
    const writes = writesOf(decided.changes, input)
    await write(input, writes)
    return { ...decided, hasWritten: writes.length > 0 }
  } catch (error) {
    if (input.connection.isUsable)
      await input.connection.query('rollback').catch(() => input.connection.destroy())
    throw error
  }
}

async function lockAndRead(input: BatchInput): Promise<LoadedSource> {
  const { connection, statements, commands } = input
  const footprint = footprintOf(commands)
  const locked = new Set([...footprint.accounts, ...input.accounts])
  const inOrder = [...locked].toSorted((left, right) => left - right)
  const read = (statement: Statement, values: readonly (string | number)[]) =>
    values.length === 0 ? NOTHING : ask(connection, statement, [statements.list(values)])
  const tasksInOrder = [...footprint.tasks].toSorted((left, right) => left - right)
  const [, note, accounts, holds, entries, tasks, allotments, journals] = await all([
    connection.query('begin'),
    ask(connection, statements.note, [input.number, input.circumstances.instanceId]),
    read(statements.lockAccounts, inOrder),
    read(statements.readHolds, [...footprint.holds]),
    read(statements.readEntries, [...footprint.entries]),
    read(statements.lockTasks, tasksInOrder),
    read(statements.readAllotments, inOrder),
    read(statements.lockJournals, [...footprint.journals].toSorted()),
  ])
  if (note?.changes !== 1n) throw new DeclaredDead()
  const source = new LoadedSource({
    locked,
    footprint,
    accounts: rowsOf(accountTable, accounts),
    holds: rowsOf(holdTable, holds),
    entries: rowsOf(entryTable, entries),
    tasks: rowsOf(taskTable, tasks),
    allotments: rowsOf(allotmentTable, allotments),
    journals: rowsOf(journalTable, journals),
  })
  const unlocked = source.unlocked()
  if (unlocked.length > 0) throw new MoreAccounts(unlocked)
  return source
}

function rowsOf<Row extends object>(table: RowTable<Row>, answer: QueryAnswer | undefined): readonly Row[] {
  return (answer?.rows ?? []).map((cells) => table.decode(cells))
}

function decide({ commands, circumstances, stillWanted }: BatchInput, source: LoadedSource): DecidedCommands {
  const wanted = stillWanted ? commands.filter((command) => stillWanted(command, source)) : commands
  return { commands: wanted, ...decideBatch(source, wanted, circumstances) }
}

/** Without changes there is nothing to commit: refusals and repeated results are valid as decided. */
async function write({ connection, statements }: BatchInput, writes: readonly Write[]): Promise<void> {
  if (writes.length === 0) {
    await connection.query('rollback')
    return
  }
  const sent = writes.map(({ statement, parameters, rows }) =>
    ask(connection, statement, statement.checksRows ? [...parameters, rows] : parameters),
  )
  if (statements.commitsWithChanges) {
    await all([...sent, connection.query('commit')])
    return
  }
  for (const [index, { changes }] of (await all(sent)).entries()) expectRows(writes[index], changes)
  await connection.query('commit')
}

function expectRows(write: Write | undefined, changes: bigint): void {
  if (write?.rows === undefined) return
  invariant(changes === BigInt(write.rows), `${write.statement.name} hits exactly the rows it names`)
}

const NOTHING: Promise<QueryAnswer> = Promise.resolve({ columns: [], rows: [], changes: 0n, insertId: 0n })

function ask(
  connection: ServerConnection,
  { name, sql }: Statement,
  parameters: readonly unknown[],
): Promise<QueryAnswer> {
  return connection.query(sql, parameters, { name })
}

/**
 * Waits for all replies before throwing the first failure, so that no reply arrives during a later
 * transaction.
 */
async function all(answers: readonly Promise<QueryAnswer>[]): Promise<readonly QueryAnswer[]> {
  const settled = await Promise.allSettled(answers)
  return settled.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  })
}
