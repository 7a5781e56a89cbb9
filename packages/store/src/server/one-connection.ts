import { Kysely } from 'kysely'
import type { Db, Database } from '../tables/schema.ts'
import type { ServerConnection } from './connection.ts'
import type { ServerEngine } from './engine.ts'
import { serverDialect } from './kysely-dialect.ts'
import { ServerPool } from './pool.ts'

const DAY_MS = 86_400_000

/**
 * A Kysely instance that sends everything over this connection, one statement at a time. A statement fails when
 * the connection is in use for longer than `waitMs`.
 */
export function overOne(
  engine: ServerEngine,
  connection: ServerConnection,
  { waitMs }: { readonly waitMs: number },
): { db: Db; close: () => Promise<void> } {
  const pool = new ServerPool({
    connect: async () => connection,
    connectionsMax: 1,
    waitMs,
    idleMs: DAY_MS,
  })
  const db = new Kysely<Database>({ dialect: serverDialect(pool, engine.grammar) })
  const close = async (): Promise<void> => {
    await db.destroy()
    await pool.close()
    await connection.close()
  }
  return { db, close }
}
