import type { ServerStore } from '@tollgate/store/server/open-server-store'
import { StoreError } from '@tollgate/store/database/errors'
import { type Clock, systemClock } from '@tollgate/kit/clock'
import type { AllotmentAnswer, AllotmentQuestion, LedgerStorage } from '../core/storage.ts'
import { countLiveInstances } from '../live-instances.ts'
import { forgetJournal, readPositions, readStates } from '../journal-positions.ts'
import { readAllottedAccounts } from '../own-allotments.ts'
import { allotmentTable, journalTable } from '../rows/tables.ts'
import { readBalance, readHoldOutcome, readGauges } from '../reads.ts'
import { auditServer, pauseBetweenPages } from './audit.ts'
import { Instance } from './instance.ts'
import { BatchQueue } from './batch-queue.ts'
import { ServerFolds } from './folds.ts'
import { mysqlStatements } from './mysql-statements.ts'
import { mysqlMaintenance } from './mysql-maintenance.ts'
import { postgresStatements } from './postgres-statements.ts'
import { postgresMaintenance } from './postgres-maintenance.ts'
import { Lease } from './lease.ts'
import type { Statements } from './statements.ts'
import { Reaper, SILENT_MS } from './reaper.ts'

/**
 * Upper bound for an admission. On a network that drops packets a statement would wait longer, and so would
 * every reconnect after it.
 */
export const ADMISSION_MS = 5_000

const ROWS_AT_ONCE = 2_000
/** An audit of a large ledger takes minutes, mostly in a few long statements. */
const AUDIT = { statementMs: 1_800_000, silentTransactionMs: 60_000 }

/** Ledger storage on a database server that several processes write to. */
export function openServerStorage(
  { server, db, traits }: ServerStore,
  clock: Clock = systemClock,
): LedgerStorage {
  const isPostgres = traits.engine === 'postgres'
  const statements = isPostgres ? postgresStatements : mysqlStatements(traits)
  const maintenance = isPostgres ? postgresMaintenance : mysqlMaintenance
  const lease = new Lease(clock, (SILENT_MS * 2) / 3)
  const instance = new Instance({ server, statements, lease })
  const lane = new BatchQueue(instance)
  const folds = new ServerFolds(lane, () => readPositions(db))
  const reaper = new Reaper({ server, statements, lane, instance })
  return {
    admissionMs: ADMISSION_MS,
    run: (commands, circumstances) => lane.run(commands, circumstances),
    isUntouched: (command) => lane.isUntouched(command),
    start: (circumstances) => lane.inTurn(() => instance.enter(circumstances)),
    async recover({ nowMs }) {
      const { recovered } = await reaper.reap(nowMs)
      return { recovered, openHolds: 0 }
    },
    fold: (range, circumstances) => folds.fold(range, circumstances),
    beforeFold: (fileId) => folds.prepare(fileId),
    readAllotments: (question, { nowMs, instanceId }) =>
      lane.aside(nowMs, () => readAllotments(instance, statements, { ...question, instanceId })),
    allottedAccounts: (instanceId) => readAllottedAccounts(db, instanceId),
    positions: () => readPositions(db),
    statesOf: (ids) => readStates(db, ids),
    liveInstances: () => countLiveInstances(db),
    heartbeat: {
      isAlive: () => lease.isHeld(),
      beat: ({ nowMs }) => lane.aside(nowMs, () => instance.beat(nowMs)),
      reenter: ({ nowMs }) => lane.aside(nowMs, () => instance.enterAnew(nowMs, 'set-back')),
      onReentered: (listener) => instance.onReentered(listener),
    },
    forgetJournal: (fileId) => forgetJournal(db, fileId),
    end: () => lane.inTurn(() => instance.leave()),
    balance: (account) => readBalance(db, account),
    async rollUp({ nowMs }) {
      await lane.aside(nowMs, () => instance.beat(nowMs))
      const { failure } = await reaper.reap(nowMs)
      await repeat(() => server.pool.use((connection) => maintenance.takeTally(connection, ROWS_AT_ONCE)))
      if (failure !== undefined) throw new Error(failure)
    },
    clean: (beforeMs) =>
      repeat(() => server.pool.use((connection) => maintenance.clean(connection, beforeMs, ROWS_AT_ONCE))),
    async audit() {
      const connection = await server.connect(AUDIT)
      try {
        return await auditServer(connection, { maintenance, rest: pauseBetweenPages })
      } finally {
        await connection.close()
      }
    },
    gauges: (nowMs) => readGauges(db, nowMs),
    fateOf: (holdId) => readHoldOutcome(db, holdId),
    counts: () => {
      const { retried, confirmed } = instance
      return { recovered: reaper.recovered, retried, confirmed }
    },
  }
}

const BUSY_TRIES_MAX = 5

/** Repeats the step until it has nothing left to do; returns the total. */
async function repeat(step: () => Promise<number>): Promise<number> {
  let done = 0
  for (let busy = 0; busy < BUSY_TRIES_MAX;)
    try {
      const more = await step()
      if (more === 0) return done
      done += more
    } catch (error) {
      // Another node is working on the same rows; the next attempt will find them done.
      if (!(error instanceof StoreError && error.kind === 'busy')) throw error
      busy++
    }
  return done
}

/** On the connection for writing, because another one may lead to a copy of the database that is behind. */
async function readAllotments(
  instance: Pick<Instance, 'ask'>,
  statements: Statements,
  { accounts, fileId, instanceId }: AllotmentQuestion & { readonly instanceId: string },
): Promise<AllotmentAnswer> {
  const journals = await instance.ask(statements.lockJournals, [statements.list([fileId])])
  const [journal] = journals.rows.map((row) => journalTable.decode(row))
  const { rows } = await instance.ask(statements.readAllotments, [statements.list(accounts)])
  const own = rows.map((row) => allotmentTable.decode(row)).filter((row) => row.instanceId === instanceId)
  return { position: journal?.position ?? 0, rows: own }
}
