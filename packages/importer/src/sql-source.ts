import {
  type ColumnFacts,
  type PageOptions,
  type Source,
  SourceError,
  type SourceRow,
  type SourceValue,
} from './source.ts'
import { countFilled } from './count-filled.ts'
import type { SourceConnection } from './source-connection.ts'

const PAGE_ROWS_MAX = 1_000

/**
 * Reads with plain SQL that all three engines understand. The only values written into the SQL are integers
 * that this program made.
 */
export async function openSqlSource(connection: SourceConnection): Promise<Source> {
  const columns = await connection.columns()
  const tables = tablesOf(columns)
  const facts = readColumnFacts(columns)
  const { quote } = connection
  const has = (table: string, column: string): boolean => tables.get(table)?.has(column) ?? false

  async function single(sql: string): Promise<number> {
    const [row] = await connection.query(sql)
    return Number(row?.['result'] ?? 0)
  }

  return {
    name: connection.name,
    tables,
    count: async (table) =>
      tables.has(table) ? single(`select count(*) as result from ${quote(table)}`) : 0,
    largestId: async (table) =>
      has(table, 'id') ? single(`select max(${quote('id')}) as result from ${quote(table)}`) : 0,
    countBy: async (table, column) => {
      if (!has(table, column)) return new Map()
      const name = quote(column)
      const rows = await connection.query(
        `select ${name} as ${quote('value')}, count(*) as ${quote('rows')} from ${quote(table)} group by ${name}`,
      )
      return new Map(rows.map((row) => [Number(row['value'] ?? 0), Number(row['rows'] ?? 0)]))
    },
    columnFacts: (table) => facts.get(table) ?? new Map(),
    countFilled: (table, columns) => countFilled(connection, table, columns),
    pages: (table, options) =>
      has(table, 'id') ? pagesById(connection, table, options) : wholeTable(connection, tables, table),
    close: () => connection.close(),
  }
}

function tablesOf(columns: readonly SourceRow[]): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = new Map<string, Set<string>>()
  for (const row of columns) {
    const table = String(row['table_name'])
    const known = tables.get(table) ?? new Set()
    tables.set(table, known.add(String(row['column_name'])))
  }
  return tables
}

function readColumnFacts(
  columns: readonly SourceRow[],
): ReadonlyMap<string, ReadonlyMap<string, ColumnFacts>> {
  const rows = columns.map((row) => ({
    table: String(row['table_name']),
    name: String(row['column_name']),
    facts: {
      type: String(row['data_type'] ?? '').toLowerCase(),
      default: plainDefault(row['column_default']),
    },
  }))
  const byTable = Map.groupBy(rows, ({ table }) => table)
  return new Map(
    [...byTable].map(([table, list]) => [table, new Map(list.map(({ name, facts }) => [name, facts]))]),
  )
}

/** The default as text: without the quotes of SQLite and MariaDB, and without the cast of PostgreSQL. */
function plainDefault(value: SourceValue | undefined): string {
  const stated = String(value ?? '').replace(/::[a-z ]+(\(.*\))?$/i, '')
  const quoted = /^'(.*)'$/s.exec(stated)?.[1]
  return quoted?.replaceAll("''", "'") ?? (/^null$/i.test(stated) ? '' : stated)
}

async function* pagesById(
  connection: SourceConnection,
  table: string,
  { after, rowsMax = PAGE_ROWS_MAX }: PageOptions = {},
): AsyncGenerator<readonly SourceRow[]> {
  const id = connection.quote('id')
  const select = `select * from ${connection.quote(table)}`
  const end = `order by ${id} limit ${rowsMax}`
  let condition = after === undefined ? '' : `where ${id} > ${after}`
  for (;;) {
    const rows = await connection.query(`${select} ${condition} ${end}`)
    const impossible = rows.find((row) => !isPossibleId(row['id'] ?? null))
    if (impossible) throw new SourceError(idRefusal(connection.name, table, String(impossible['id'])))
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < rowsMax) return
    condition = `where ${id} > ${String(last['id'])}`
  }
}

/**
 * Four account ids are derived from each owner id (times 4), and each must be exact as a JavaScript number.
 */
const ID_MAX = 2n ** 51n - 1n

function isPossibleId(id: SourceValue): boolean {
  return typeof id === 'bigint' && id > 0n && id <= ID_MAX
}

function idRefusal(name: string, table: string, id: string): string {
  return `${name} cannot be imported: its table ${table} has a row with the id ${id}, and ids are whole numbers from 1 to ${ID_MAX}.`
}

/** Only the options table has no id column, and it is small. */
async function* wholeTable(
  connection: SourceConnection,
  tables: Source['tables'],
  table: string,
): AsyncGenerator<readonly SourceRow[]> {
  if (tables.has(table)) yield await connection.query(`select * from ${connection.quote(table)}`)
}
