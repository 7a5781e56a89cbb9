import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answeringServers, type TestDatabase, type TestServer } from '@tollgate/testkit/databases'
import { openNewStore } from '@tollgate/testkit/new-store'
import { type OpenStoreOptions, type Store, openStore } from '../../src/database/open-store.ts'

/** A new database of one engine, which a test can open any number of times. */
export interface Place {
  readonly options: OpenStoreOptions
  readonly open: () => Promise<Store>
  /** Closes every store that was opened and removes the database. */
  readonly remove: () => Promise<void>
}

export interface Engine {
  readonly name: string
  readonly server: TestServer | undefined
  /** With the current schema. */
  readonly place: () => Promise<Place>
  /** Without tables. */
  readonly emptyPlace: () => Promise<Place>
}

const servers = await answeringServers()

/** Every engine available here. A server that does not respond was reported on the console. */
export const engines: readonly Engine[] = [
  {
    name: 'SQLite',
    server: undefined,
    place: () => sqlitePlace(openNewStore),
    emptyPlace: () => sqlitePlace(openStore),
  },
  ...servers.map((server) => ({
    name: server.label,
    server,
    place: async () => serverPlace(await server.createMigrated()),
    emptyPlace: async () => serverPlace(await server.createDatabase()),
  })),
]

async function sqlitePlace(open: typeof openStore): Promise<Place> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-store-'))
  const options = { sqlitePath: join(directory, 'test.db') }
  return placeOf(options, { open, drop: async () => rmSync(directory, { recursive: true }) })
}

function serverPlace({ dsn, drop }: TestDatabase): Place {
  return placeOf({ dsn }, { open: openStore, drop })
}

interface Ways {
  readonly open: typeof openStore
  readonly drop: () => Promise<void>
}

function placeOf(options: OpenStoreOptions, { open, drop }: Ways): Place {
  const opened: Store[] = []
  return {
    options,
    open: async () => {
      const store = await open(options)
      opened.push(store)
      return store
    },
    remove: async () => {
      await Promise.all(opened.map((store) => store.close()))
      await drop()
    },
  }
}
