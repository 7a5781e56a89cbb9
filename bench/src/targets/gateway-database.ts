import { join } from 'node:path'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { answeringServers } from '@tollgate/testkit/databases'

export const storeNames = ['sqlite', 'postgres', 'mariadb'] as const

export type StoreName = (typeof storeNames)[number]

/** The database of one run of the gateway. */
export interface GatewayDatabase {
  /** Settings that lead the gateway to it. */
  readonly env: Readonly<Record<string, string>>
  /** Opens it beside the gateway; over SQLite only while no gateway runs. */
  open(): Promise<Store>
  drop(): Promise<void>
}

/** Creates an empty database: a file below `directory`, or a database on the server that tests use. */
export async function createGatewayDatabase(name: StoreName, directory: string): Promise<GatewayDatabase> {
  if (name === 'sqlite') {
    const sqlitePath = join(directory, 'tollgate.db')
    return {
      env: { SQLITE_PATH: sqlitePath },
      open: () => openStore({ sqlitePath }),
      drop: async () => undefined,
    }
  }
  const servers = await answeringServers()
  const server = servers.find(({ label }) => (label === 'PostgreSQL') === (name === 'postgres'))
  if (!server) throw new Error(`no ${name} server answers`)
  const { dsn, drop } = await server.createDatabase()
  return { env: { SQL_DSN: dsn }, open: () => openStore({ dsn }), drop }
}
