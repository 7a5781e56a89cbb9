import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answeringServers, type TestServer } from '@tollgate/testkit/databases'
import { type OpenStoreOptions, type Store, openStore } from '../../src/open-store.ts'

/** An empty database of one engine, and as many openings of it as a test wants. */
export interface Place {
  readonly options: OpenStoreOptions
  readonly open: () => Promise<Store>
  /** Closes every opening and removes the database. */
  readonly remove: () => Promise<void>
}

export interface Engine {
  readonly name: string
  readonly server: TestServer | undefined
  readonly place: () => Promise<Place>
}

const servers = await answeringServers()

/** Every engine that can be had here; servers that do not answer were named on the console. */
export const engines: readonly Engine[] = [
  { name: 'SQLite', server: undefined, place: sqlitePlace },
  ...servers.map((server) => ({ name: server.label, server, place: () => serverPlace(server) })),
]

async function sqlitePlace(): Promise<Place> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-store-'))
  const options = { sqlitePath: join(directory, 'test.db') }
  return placeOf(options, async () => rmSync(directory, { recursive: true }))
}

async function serverPlace(server: TestServer): Promise<Place> {
  const { dsn, drop } = await server.createDatabase()
  return placeOf({ dsn }, drop)
}

function placeOf(options: OpenStoreOptions, drop: () => Promise<void>): Place {
  const opened: Store[] = []
  return {
    options,
    open: async () => {
      const store = await openStore(options)
      opened.push(store)
      return store
    },
    remove: async () => {
      await Promise.all(opened.map((store) => store.close()))
      await drop()
    },
  }
}
