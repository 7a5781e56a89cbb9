import {
  AndNode,
  type KyselyPlugin,
  type OperationNode,
  type RootOperationNode,
  SelectQueryNode,
  sql,
  WhereNode,
} from 'kysely'
import { StoreError } from './errors.ts'
import { stateNumber } from '../postgres/failures.ts'
import type { Db } from '../tables/schema.ts'
import { TOO_LATE } from '../sqlite/deadline.ts'
import { engineOf } from './traits.ts'

/**
 * Reads with a time limit per statement that the engine itself enforces. Rejects with an error for which
 * {@link isTooLate} is true when a statement took longer. `read` must use the given instance and only select.
 */
export function withinTime<T>(db: Db, ms: number, read: (db: Db) => Promise<T>): Promise<T> {
  const engine = engineOf(db)
  if (engine === 'sqlite') return read(db.withPlugin(new Deadline(Date.now() + ms)))
  return engine === 'postgres' ? readOnPostgres(db, ms, read) : readOnMysql(db, ms, read)
}

const POSTGRES_CANCELED = stateNumber('57014')
const MARIADB_TOO_LONG = 1969
const MYSQL_TOO_LONG = 3024
const CODES: ReadonlySet<number> = new Set([TOO_LATE, POSTGRES_CANCELED, MARIADB_TOO_LONG, MYSQL_TOO_LONG])

export function isTooLate(error: unknown): boolean {
  return error instanceof StoreError && error.kind === 'busy' && CODES.has(error.code)
}

type Read<T> = (db: Db) => Promise<T>

function readOnPostgres<T>(db: Db, ms: number, read: Read<T>): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = ${sql.lit(ms)}`.execute(transaction)
    return read(transaction)
  })
}

/** The limit is a session setting, so it is reset before another caller gets the connection. */
function readOnMysql<T>(db: Db, ms: number, read: Read<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ version: string }>`select version() as version`.execute(connection)
    const isMariaDb = rows[0]?.version.includes('MariaDB') === true
    const name = sql.raw(isMariaDb ? 'max_statement_time' : 'max_execution_time')
    const limit = isMariaDb ? ms / 1_000 : ms
    const reported = await sql<{ usual: unknown }>`select @@session.${name} as usual`.execute(connection)
    await sql`set session ${name} = ${sql.lit(limit)}`.execute(connection)
    try {
      return await read(connection)
    } finally {
      await sql`set session ${name} = ${sql.lit(Number(reported.rows[0]?.usual ?? 0))}`.execute(connection)
    }
  })
}

/**
 * SQLite has no such limit, so a condition calls `in_time` for each row. It comes first, before expensive
 * conditions.
 */
class Deadline implements KyselyPlugin {
  readonly #condition: OperationNode

  constructor(atMs: number) {
    this.#condition = sql<boolean>`in_time(${atMs}) = 1`.toOperationNode()
  }

  transformQuery({ node }: { readonly node: RootOperationNode }): RootOperationNode {
    if (!SelectQueryNode.is(node)) return node
    const condition = node.where ? AndNode.create(this.#condition, node.where.where) : this.#condition
    return { ...node, where: WhereNode.create(condition) }
  }

  async transformResult<Result>({ result }: { readonly result: Result }): Promise<Result> {
    return result
  }
}
