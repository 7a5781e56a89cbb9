import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answeringServers, type TestServer } from '@tollgate/testkit/databases'
import { openNewStore } from '@tollgate/testkit/new-store'
import type { OpenStoreOptions, Store } from '../../src/database/open-store.ts'

/** An empty database of one engine, which a test can open any number of times. */
export interface Place {
  readonly options: OpenStoreOptions
  readonly open: () => Promise<Store>
  /** Closes every store that was opened and removes the database. */
  readonly remove: () => Promise<void>
}

export interface Engine {
  readonly name: string
  readonly server: TestServer | undefined
  readonly place: () => Promise<Place>
}

const servers = await answeringServers()

/** Every engine available here. A server that does not respond was reported on the console. */
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
      const store = await openNewStore(options)
      opened.push(store)
      return store
    },
    remove: async () => {
      await Promise.all(opened.map((store) => store.close()))
      await drop()
    },
  }
}
