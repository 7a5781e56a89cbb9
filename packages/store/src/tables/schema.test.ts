import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Store, openStore } from '../database/open-store.ts'

let store: Store
beforeAll(async () => {
  store = await openStore({ sqlitePath: ':memory:' })
})
afterAll(() => store.close())

/** Tables and columns as declared in `schema.ts` and the files it imports. */
function declaredTables(): Record<string, readonly string[]> {
  const files = [
    './schema.ts',
    './accounts.ts',
    './channels.ts',
    './logs.ts',
    './settings.ts',
    './ledger.ts',
    './delivery.ts',
    './identity.ts',
    './safety.ts',
    './trade.ts',
    './operations.ts',
    './usage.ts',
  ]
  const text = files.map(sourceOf).join('')
  const tables = [...text.matchAll(/^ {2}(\w+): (\w+Table)$/gm)].map(
    ([, table = '', type = '']) => [table, columnsOf(text, type).sort()] as const,
  )
  return Object.fromEntries(tables)
}

/** Fields of an interface, including those of the interfaces it extends. */
function columnsOf(text: string, type: string): string[] {
  const declaration = text.match(new RegExp(`interface ${type} (?:extends ([\\w, ]+) )?\\{([^}]*)\\}`))
  if (declaration === null) throw new Error(`${type} is not declared in the files that are read`)
  const [, parents, body = ''] = declaration
  const own = [...body.matchAll(/^ {2}(\w+): /gm)].map(([, column = '']) => column)
  return [...own, ...(parents?.split(', ') ?? []).flatMap((parent) => columnsOf(text, parent))]
}

function sourceOf(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}

async function migratedTables(): Promise<Record<string, readonly string[]>> {
  const { rows } = await sql<{ table: string; columns: string }>`
    select t.name as "table", (select group_concat(c.name) from pragma_table_info(t.name) c) as columns
    from sqlite_schema t where t.type = 'table' and t.name not like 'sqlite%' and t.name <> 'schema_migration'
  `.execute(store.db)
  return Object.fromEntries(rows.map(({ table, columns }) => [table, columns.split(',').sort()]))
}

it('the migrations create exactly the declared tables and columns', async () => {
  const declared = declaredTables()
  expect(Object.keys(declared).length).toBeGreaterThanOrEqual(18)
  expect(await migratedTables()).toEqual(declared)
})

it('every SQLite table is declared strict', async () => {
  const { rows } = await sql<{ name: string }>`
    select name from pragma_table_list where type = 'table' and strict = 0 and name not like 'sqlite%'
  `.execute(store.db)
  expect(rows).toEqual([])
})
