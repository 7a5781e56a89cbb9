import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { answeringServers } from '@tollgate/testkit/databases'
import { findStores } from '../ledger/stores.ts'

/** A database with a long usage log, or one that is still to be filled. */
export interface LogDatabase {
  /** The log exists from an earlier run. */
  readonly isFilled: boolean
  open(): Promise<Store>
  /** Call this once the log is complete, so that the next run can use it. */
  markFilled(): void
  /** Called when the run ends: deletes the database unless it is to be kept. */
  leave(): Promise<void>
  drop(): Promise<void>
}

export interface Keeping {
  readonly directory: string
  readonly rows: number
}

/** The databases by store name, for the stores available here. */
export async function logDatabases(
  keeping: Keeping | undefined,
): Promise<ReadonlyMap<string, () => Promise<LogDatabase>>> {
  if (keeping) return keptDatabases(keeping)
  const { stores } = await findStores()
  return new Map(stores.map((store) => [store.name, () => store.create().then(passing)]))
}

function passing(database: Pick<LogDatabase, 'open' | 'drop'>): LogDatabase {
  const { open, drop } = database
  return { isFilled: false, open, drop, leave: drop, markFilled: () => undefined }
}

/** One database per size: a SQLite file in the directory, or a database of that name on the server. */
async function keptDatabases(keeping: Keeping): Promise<ReadonlyMap<string, () => Promise<LogDatabase>>> {
  const { directory, rows } = keeping
  mkdirSync(directory, { recursive: true })
  const path = join(directory, `logs-${rows}.db`)
  const file = {
    open: () => openStore({ sqlitePath: path }),
    drop: async () => ['', '-wal', '-shm', '.lock'].forEach((end) => rmSync(path + end, { force: true })),
    create: async () => undefined,
  }
  const servers = (await answeringServers()).map((server) => {
    const { name, dsn, drop } = server.databaseNamed(`tollgate_bench_logs_${rows}`)
    const create = () => server.run(`create database ${name}`)
    return [server.label, { open: () => openStore({ dsn }), drop, create }] as const
  })
  return new Map(
    [['SQLite', file] as const, ...servers].map(([name, place]) => [
      name,
      () => kept(place, join(directory, `${name}-${rows}.filled`)),
    ]),
  )
}

interface Place extends Pick<LogDatabase, 'open' | 'drop'> {
  create(): Promise<void>
}

/** A database that an interrupted run left incomplete is created again. */
async function kept(place: Place, mark: string): Promise<LogDatabase> {
  const isFilled = existsSync(mark)
  if (!isFilled) {
    await place.drop()
    await place.create()
  }
  return {
    isFilled,
    open: place.open,
    markFilled: () => writeFileSync(mark, ''),
    leave: async () => undefined,
    drop: async () => {
      rmSync(mark, { force: true })
      await place.drop()
    },
  }
}
