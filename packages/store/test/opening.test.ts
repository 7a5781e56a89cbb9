import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoreOpenError } from '../src/database/errors.ts'
import { engineOf } from '../src/database/traits.ts'
import { migrations } from '../src/migrations/index.ts'
import { type Store, openStore } from '../src/database/open-store.ts'
import { type Place, engines } from './support/stores.ts'

const refusal = async (dsn: string): Promise<StoreOpenError> => {
  const opened = await openStore({ dsn }).catch((error: unknown) => error)
  if (!(opened instanceof StoreOpenError)) throw new Error('it was not refused', { cause: opened })
  expect(opened.message).toMatch(/^[^\n]+\.$/)
  return opened
}

const servers = engines.filter((engine) => engine.server !== undefined)

describe.each(servers)('opening an empty database on $name', ({ place: migratedPlace, emptyPlace }) => {
  let place: Place

  beforeEach(async () => {
    place = await emptyPlace()
  })
  afterEach(() => place.remove())

  it('creates every declared table once, even when many nodes start at the same moment, as other tests copy them', async () => {
    const stores = await Promise.all(Array.from({ length: 5 }, () => place.open()))
    const { db } = stores[0] ?? noStore()
    const { rows } = await sql`select number from schema_migration order by number`.execute(db)
    expect(rows).toEqual(migrations.map(({ number }) => ({ number })))
    expect(await Promise.all(stores.map((store) => store.ping()))).toEqual(stores.map(() => true))

    const sqlite = await openStore({ sqlitePath: ':memory:' })
    const expected = await columnsOf(sqlite.db)
    await sqlite.close()
    expect(expected.length).toBeGreaterThan(150)
    expect(await columnsOf(db)).toEqual(expected)

    const copy = await migratedPlace()
    const there = await copy.open()
    expect(await columnsOf(there.db)).toEqual(expected)
    expect(await indexesOf(there.db)).toEqual(await indexesOf(db))
    expect(await stepsOf(there.db)).toEqual(await stepsOf(db))
    await copy.remove()
  })

  it('without mayMigrate, changes no tables and rejects a missing or newer schema', async () => {
    const options = { ...place.options, mayMigrate: false }
    const refused = openStore(options)
    await expect(refused).rejects.toMatchObject({ reason: 'older_schema' })
    const { db } = await place.open()
    const slave = await openStore(options)
    expect(await slave.ping()).toBe(true)
    await slave.close()
    await sql`insert into schema_migration values (9999, 'of the future', 0)`.execute(db)
    await expect(openStore(options)).rejects.toMatchObject({ reason: 'newer_schema' })
  })
})

describe.each(servers)('opening a database on $name', ({ place: newPlace, server }) => {
  let place: Place
  let dsn = ''

  beforeEach(async () => {
    place = await newPlace()
    dsn = place.options.dsn ?? ''
  })
  afterEach(() => place.remove())

  it('keeps existing data', async () => {
    const first = await place.open()
    await first.db.insertInto('setups').values({ id: 1, version: '1', initialized_at: 1 }).execute()
    const second = await place.open()
    expect(await second.db.selectFrom('setups').selectAll().execute()).toHaveLength(1)
  })

  it('rejects a schema newer than the program', async () => {
    const { db } = await place.open()
    await sql`insert into schema_migration values (9999, 'of the future', 0)`.execute(db)
    expect(await refusal(dsn)).toMatchObject({ reason: 'newer_schema' })
  })

  it.each(['before', 'after'] as const)(
    'continues a migration step that was interrupted %s a statement',
    async (when) => {
      const { db, traits } = await place.open()
      if (traits.hasTransactionalDdl) return
      const whole = await columnsOf(db)
      const last = migrations.at(-1)
      if (when === 'before') await undo(db, last?.statements(traits)[0] ?? '')
      await sql`update schema_migration set applied_ms = 0 where number = ${last?.number}`.execute(db)
      const again = await place.open()
      expect(await columnsOf(again.db)).toEqual(whole)
      const { rows } = await sql`select number from schema_migration where applied_ms = 0`.execute(again.db)
      expect(rows).toEqual([])
    },
  )

  it('rejects a database of another program and changes nothing in it', async () => {
    const { db, close } = await place.open()
    await db.schema.dropTable('schema_migration').execute()
    await close()
    const refused = await refusal(dsn)
    expect(refused).toMatchObject({ reason: 'foreign_database' })
    expect(refused.message).toContain('account')
  })

  it('reports a missing database, an unknown user and an unreachable server', async () => {
    const url = new URL(dsn)
    url.pathname = '/tollgate_test_nothing'
    expect(await refusal(url.href)).toMatchObject({ reason: 'no_database' })
    url.port = '1'
    expect(await refusal(url.href)).toMatchObject({ reason: 'not_reachable' })
    url.hostname = 'no-such-host.invalid'
    expect(await refusal(url.href)).toMatchObject({ reason: 'not_reachable' })
    const stranger = new URL(dsn)
    stranger.username = 'nobody_of_ours'
    stranger.password = 'canary-password'
    const refused = await refusal(stranger.href)
    expect(refused).toMatchObject({ reason: 'wrong_password' })
    expect(refused.message).not.toContain('canary-password')
  })

  it('reconnects after the server has closed every connection', async () => {
    const store = await place.open()
    const fivePings = () => Promise.all(Array.from({ length: 5 }, () => store.ping()))
    expect(await fivePings()).not.toContain(false)
    await endConnections(server?.label ?? '', store.db)
    await expect.poll(fivePings).not.toContain(false)
  })
})

it('opening without a DSN or a path is rejected', async () => {
  await expect(openStore({})).rejects.toMatchObject({ reason: 'bad_dsn' })
})

function noStore(): never {
  throw new Error('a store was opened')
}

async function columnsOf(db: Store['db']): Promise<readonly string[]> {
  const tables = await db.introspection.getTables()
  const names = tables.flatMap((table) => table.columns.map((column) => `${table.name}.${column.name}`))
  // On MySQL and MariaDB, a unique index leaves out empty values with the help of a hidden column.
  return names.filter((name) => !name.endsWith('_unless_empty')).sort()
}

async function stepsOf(db: Store['db']): Promise<readonly unknown[]> {
  return (await sql`select number, name from schema_migration order by number`.execute(db)).rows
}

async function indexesOf(db: Store['db']): Promise<readonly unknown[]> {
  const { rows } =
    engineOf(db) === 'postgres'
      ? await sql`select indexdef from pg_indexes where schemaname = 'public' order by indexdef`.execute(db)
      : await sql`select table_name, index_name, seq_in_index, column_name, non_unique
          from information_schema.statistics where table_schema = database()
          order by table_name, index_name, seq_in_index`.execute(db)
  return rows
}

/** Reverts one statement of a migration. An update needs no reverting, because the database has no rows. */
async function undo(db: Store['db'], statement: string): Promise<void> {
  if (statement.startsWith('update ')) return
  const [, made] = /^create table .(\w+)/.exec(statement) ?? []
  const [, table, what, name] = /^alter table .(\w+). add (column|constraint) .(\w+)/.exec(statement) ?? []
  if (made !== undefined) return db.schema.dropTable(made).execute()
  if (table === undefined || name === undefined) throw new Error(`nothing known undoes ${statement}`)
  const altered = db.schema.alterTable(table)
  await (what === 'column' ? altered.dropColumn(name) : altered.dropConstraint(name)).execute()
}

/** Ends every connection except the current one. */
async function endConnections(label: string, db: Store['db']): Promise<void> {
  if (label === 'PostgreSQL') {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
    return
  }
  const { rows } = await sql<{ id: number }>`select id from information_schema.processlist
    where db = database() and id <> connection_id()`.execute(db)
  for (const { id } of rows) await sql.raw(`kill ${id}`).execute(db)
}
