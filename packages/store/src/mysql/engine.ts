import { MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler } from 'kysely'
import { StoreOpenError } from '../database/errors.ts'
import { type ServerAddress, nameOf } from '../server/address.ts'
import type { ServerConnection } from '../server/connection.ts'
import type { ServerEngine } from '../server/engine.ts'
import { type ServerRefusal, explainRefusal } from '../server/explain.ts'
import { type Traits, mysqlTraits } from '../database/traits.ts'
import { connectMysql } from './connection.ts'
import { toStoreError } from './failures.ts'
import { readVersion } from './session.ts'

export function mysqlEngine(address: ServerAddress): ServerEngine {
  return {
    address,
    grammar: {
      createAdapter: () => new MysqlAdapter(),
      createQueryCompiler: () => new MysqlQueryCompiler(),
      createIntrospector: (db) => new MysqlIntrospector(db),
    },
    connect: (options) => connectMysql({ ...options, address }),
    toStoreError,
    explain: (error) => explain(address, error),
    check: (connection) => check(address, connection),
    tables,
    // A MySQL lock name is valid for the whole server, which may have several Tollgate databases, so the name
    // includes the database.
    tryLock: async (connection) => {
      const { rows } = await connection.query(
        "select get_lock('tollgate.' || left(sha2(database(), 256), 40), 0)",
      )
      return rows[0]?.[0] === 1
    },
    prepare: async () => undefined,
  }
}

async function check(address: ServerAddress, connection: ServerConnection): Promise<Traits> {
  const version = await readVersion(connection)
  const { rows } = await connection.query('select @@global.read_only')
  if (!['0', 'OFF'].includes(String(rows[0]?.[0])))
    throw new StoreOpenError('not_writable', `The ${nameOf(address)} is read-only: name its primary.`)
  return mysqlTraits(version)
}

async function tables(connection: ServerConnection): Promise<readonly string[]> {
  const { rows } = await connection.query(
    'select table_name from information_schema.tables where table_schema = database() order by table_name',
  )
  return rows.map((row) => String(row[0]))
}

/** Access denied: password, socket or locked account; database; table or action. */
const REASONS: Readonly<Record<number, ServerRefusal['reason']>> = {
  1045: 'wrong_password',
  1698: 'wrong_password',
  3118: 'wrong_password',
  1049: 'no_database',
  1044: 'no_rights',
  1142: 'no_rights',
  1227: 'no_rights',
}

function explain(address: ServerAddress, error: unknown): Error {
  const failure = toStoreError(error)
  return explainRefusal({ address, failure, reason: REASONS[failure.code] })
}
