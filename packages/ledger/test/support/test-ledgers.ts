import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManualClock } from '@tollgate/kit/clock'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { type TestServer, answeringServers } from '@tollgate/testkit/databases'
import { invariant } from '@tollgate/kit/invariant'
import { openNewStore } from '@tollgate/testkit/new-store'
import type { Alarm, CommandContext } from '../../src/core/command.ts'
import type { LedgerStorage } from '../../src/core/storage.ts'
import { memoryStorage } from '../../src/memory/storage.ts'
import { openServerStorage } from '../../src/server/storage.ts'
import { openSqliteStorage } from '../../src/sqlite/storage.ts'
import type { Ledger } from '../../src/ledger.ts'
import { type KeptTask, MemoryTables } from '../../src/memory/tables.ts'
import { openMemoryLedger } from '../../src/memory/index.ts'
import { openLedger } from '../../src/open-ledger.ts'
import { emptyTables } from './empty-tables.ts'

/** A ledger over one kind of storage, with access to what the tests inspect. */
export interface TestLedger {
  readonly clock: ManualClock
  readonly alarms: Alarm[]
  readonly ledger: () => Ledger
  /** Simulates the death of the process with its open holds, and starts another one over the same data. */
  readonly crash: () => Promise<void>
  readonly logRow: (requestId: string) => Promise<LoggedRow | undefined>
  readonly taskRow: (requestId: string) => Promise<KeptRow | undefined>
  /** Causes of the rows in the outbox. */
  readonly causes: () => Promise<readonly string[]>
  /** `undefined` when there is no database. */
  readonly store: () => Store | undefined
  /** Starts another process over the same data. */
  readonly join: (instanceId: string) => Promise<LedgerStorage>
  /** Simulates the death of a process that joined, and its recovery by the others. */
  readonly bury: (instanceId: string) => Promise<void>
  /** Resets the ledger to the state of a new one. Creating a new database on a server takes a second. */
  readonly startOver: () => Promise<void>
  readonly close: () => Promise<void>
}
export type LoggedRow = Omit<UsageLogRow, 'id'>
export type KeptRow = Pick<
  KeptTask,
  'id' | 'version' | 'quota' | 'status' | 'progress' | 'fail_reason' | 'finish_ms' | 'detail' | 'channel_id'
>

export type OpenHouse = () => Promise<TestLedger>

const servers = await answeringServers()

export const testLedgers = {
  'in memory': memoryHouse,
  'SQLite in memory': sqliteMemoryHouse,
  'SQLite in a file': () => sqliteFileHouse(false),
  'SQLite with a journal': () => sqliteFileHouse(true),
  ...Object.fromEntries(servers.map((server) => [`on ${server.label}`, () => serverHouse(server)])),
} satisfies Readonly<Record<string, OpenHouse>>

async function memoryHouse(): Promise<TestLedger> {
  const { clock, alarms, options } = surroundings()
  let tables = new MemoryTables()
  let ledger = await openMemoryLedger({ ...options, tables })
  return {
    clock,
    alarms,
    ledger: () => ledger,
    crash: async () => {
      ledger = await openMemoryLedger({ ...options, tables })
    },
    logRow: async (requestId) => tables.logs.get(requestId),
    taskRow: async (id) => [...tables.tasks.values()].find(({ requestId }) => requestId === id),
    causes: async () => [...tables.notices.keys()],
    join: async (instanceId) => {
      tables.instances.set(instanceId, 'alive')
      return memoryStorage(tables)
    },
    bury: async (instanceId) => {
      tables.instances.set(instanceId, 'dead')
      await memoryStorage(tables).recover({ nowMs: clock.nowMs(), instanceId: 'undertaker' })
    },
    store: () => undefined,
    startOver: async () => {
      await ledger.close()
      tables = new MemoryTables()
      alarms.length = 0
      ledger = await openMemoryLedger({ ...options, tables })
    },
    close: () => ledger.close(),
  }
}

async function sqliteMemoryHouse(): Promise<TestLedger> {
  const { clock, alarms, options } = surroundings()
  const store = await openNewStore({ sqlitePath: ':memory:' })
  let ledger = await openLedger({ ...options, store })
  return {
    clock,
    alarms,
    ledger: () => ledger,
    crash: async () => {
      ledger = await openLedger({ ...options, store })
    },
    logRow: (requestId) => readLog(store, requestId),
    taskRow: (requestId) => readTask(store, requestId),
    causes: () => readCauses(store),
    join: (instanceId) => joinSqlite(store, { nowMs: clock.nowMs(), instanceId }),
    bury: (instanceId) => burySqlite(store, instanceId),
    store: () => store,
    startOver: async () => {
      await ledger.close()
      await emptyTables(store)
      alarms.length = 0
      ledger = await openLedger({ ...options, store })
    },
    close: async () => {
      await ledger.close()
      await store.close()
    },
  }
}

async function sqliteFileHouse(hasJournal: boolean): Promise<TestLedger> {
  const { clock, alarms, options } = surroundings()
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-ledger-'))
  const sqlitePath = join(directory, 'ledger.db')
  let store = await openNewStore({ sqlitePath })
  const journal = hasJournal ? { folder: join(directory, 'journal') } : undefined
  let ledger = await openLedger({ ...options, store, journal })
  const caughtUp = () => ledger.caughtUp()
  return {
    clock,
    alarms,
    ledger: () => ledger,
    crash: async () => {
      await store.close()
      store = await openStore({ sqlitePath })
      ledger = await openLedger({ ...options, store, journal })
    },
    logRow: (requestId) => caughtUp().then(() => readLog(store, requestId)),
    taskRow: (requestId) => readTask(store, requestId),
    causes: () => readCauses(store),
    join: (instanceId) => joinSqlite(store, { nowMs: clock.nowMs(), instanceId }),
    bury: (instanceId) => burySqlite(store, instanceId),
    store: () => store,
    startOver: async () => {
      await ledger.close()
      await emptyTables(store)
      alarms.length = 0
      ledger = await openLedger({ ...options, store, journal })
    },
    close: async () => {
      await ledger.close()
      await store.close()
      rmSync(directory, { recursive: true })
    },
  }
}

async function serverHouse(server: TestServer): Promise<TestLedger> {
  const { clock, alarms, options } = surroundings()
  const { dsn, drop } = await server.createMigrated()
  let store = await openStore({ dsn })
  let ledger = await openLedger({ ...options, store })
  const joined: LedgerStorage[] = []
  return {
    clock,
    alarms,
    ledger: () => ledger,
    crash: async () => {
      await store.close()
      store = await openStore({ dsn })
      // Simulates half a minute without a heartbeat of the dead process.
      await store.db.updateTable('instance').set({ heartbeat_ms: 0 }).execute()
      ledger = await openLedger({ ...options, store })
    },
    logRow: (requestId) => readLog(store, requestId),
    taskRow: (requestId) => readTask(store, requestId),
    causes: () => readCauses(store),
    join: async (instanceId) => {
      const storage = 'server' in store ? openServerStorage(store) : undefined
      invariant(storage, 'the store is on a server')
      await storage.start({ nowMs: clock.nowMs(), instanceId })
      joined.push(storage)
      return storage
    },
    bury: async (instanceId) => {
      const dead = store.db.updateTable('instance').set({ heartbeat_ms: 0 })
      await dead.where('id', '=', instanceId).execute()
      await ledger.rollUp()
    },
    store: () => store,
    startOver: async () => {
      await ledger.close()
      await emptyTables(store)
      alarms.length = 0
      ledger = await openLedger({ ...options, store })
    },
    close: async () => {
      for (const storage of joined) await storage.end({ nowMs: clock.nowMs(), instanceId: '' })
      await ledger.close()
      await store.close()
      await drop()
    },
  }
}

/** A process that writes through the owner of the file. */
async function joinSqlite(store: Store, context: CommandContext): Promise<LedgerStorage> {
  invariant('remote' in store, 'the store is a file')
  const storage = await openSqliteStorage({ ...store, isGuest: true })
  await storage.start(context)
  return storage
}

async function burySqlite(store: Store, instanceId: string): Promise<void> {
  invariant('remote' in store, 'the store is a file')
  await store.remote.call('ledger.bury', JSON.stringify([0, 'undertaker', instanceId]))
}

function surroundings(): {
  clock: ManualClock
  alarms: Alarm[]
  options: { clock: ManualClock; onAlarm: (alarm: Alarm) => void }
} {
  const clock = new ManualClock()
  const alarms: Alarm[] = []
  return { clock, alarms, options: { clock, onAlarm: (alarm) => alarms.push(alarm) } }
}

async function readLog(store: Store, requestId: string): Promise<LoggedRow | undefined> {
  return store.db.selectFrom('logs').selectAll().where('request_id', '=', requestId).executeTakeFirst()
}

function readTask(store: Store, requestId: string): Promise<KeptRow | undefined> {
  return store.db.selectFrom('tasks').selectAll().where('request_id', '=', requestId).executeTakeFirst()
}

async function readCauses({ db }: Store): Promise<readonly string[]> {
  const rows = await db.selectFrom('outbox').select('cause').orderBy('id').execute()
  return rows.map(({ cause }) => cause)
}
