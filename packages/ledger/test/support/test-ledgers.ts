import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManualClock } from '@tollgate/kit/clock'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { type TestServer, answeringServers } from '@tollgate/testkit/databases'
import type { Alarm } from '../../src/core/command.ts'
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
  'SQLite in a file': sqliteFileHouse,
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
  const store = await openStore({ sqlitePath: ':memory:' })
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

async function sqliteFileHouse(): Promise<TestLedger> {
  const { clock, alarms, options } = surroundings()
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-ledger-'))
  const sqlitePath = join(directory, 'ledger.db')
  let store = await openStore({ sqlitePath })
  let ledger = await openLedger({ ...options, store })
  return {
    clock,
    alarms,
    ledger: () => ledger,
    crash: async () => {
      await store.close()
      store = await openStore({ sqlitePath })
      ledger = await openLedger({ ...options, store })
    },
    logRow: (requestId) => readLog(store, requestId),
    taskRow: (requestId) => readTask(store, requestId),
    causes: () => readCauses(store),
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
      rmSync(directory, { recursive: true })
    },
  }
}

async function serverHouse(server: TestServer): Promise<TestLedger> {
  const { clock, alarms, options } = surroundings()
  const { dsn, drop } = await server.createDatabase()
  let store = await openStore({ dsn })
  let ledger = await openLedger({ ...options, store })
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
      await drop()
    },
  }
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
