import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { SourceConnection } from './source-connection.ts'
import { SourceError, type SourceRow, type SourceValue } from './source.ts'

const FILE_HEADER = 'SQLite format 3\0'
const BUSY_TIMEOUT_MS = 5_000

/** Opens the file as it is now. Another program that has it open may keep writing. */
export function connectSqlite(path: string): SourceConnection {
  refuseOtherFiles(path)
  const database = open(path)
  const query = (sql: string): readonly SourceRow[] => {
    try {
      return database.prepare(sql, { readBigInts: true }).all().map(plainRow)
    } catch (cause) {
      throw new SourceError(`${path} cannot be read: ${messageOf(cause)}.`, { cause })
    }
  }
  return {
    name: path,
    quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
    textType: 'text',
    query: async (sql) => query(sql),
    columns: async () => query(COLUMNS),
    close: async () => database.close(),
  }
}

const COLUMNS = `
  select t.name as table_name, c.name as column_name, c.type as data_type, c.dflt_value as column_default
  from sqlite_schema t, pragma_table_info(t.name) c
  where t.type = 'table' and t.name not like 'sqlite!_%' escape '!'`

/** Keeps one read transaction open until the end, so that all tables are read at the same moment. */
function open(path: string): DatabaseSync {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
    database.exec('begin; select count(*) from sqlite_schema')
    return database
  } catch (cause) {
    throw new SourceError(`${path} cannot be read: ${messageOf(cause)}.`, { cause })
  }
}

function refuseOtherFiles(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) throw new SourceError(`There is no file ${path}.`)
  if (!stat.isFile()) throw new SourceError(`${path} is not a file.`)
  const header = readHeader(path)
  if (header === '') throw new SourceError(`${path} is empty, not a SQLite database.`)
  if (header !== FILE_HEADER) throw new SourceError(`${path} is not a SQLite database.`)
}

function readHeader(path: string): string {
  try {
    const descriptor = openSync(path, 'r')
    const header = Buffer.alloc(FILE_HEADER.length)
    const length = readSync(descriptor, header, 0, header.length, 0)
    closeSync(descriptor)
    return header.toString('latin1', 0, length)
  } catch (cause) {
    throw new SourceError(`${path} cannot be read: ${messageOf(cause)}.`, { cause })
  }
}

/** JSON columns may be stored as blobs. Every text value is returned as a string. */
function plainRow(row: Readonly<Record<string, unknown>>): SourceRow {
  const entries = Object.entries(row).map(([name, value]) => [name, plainValue(value)] as const)
  return Object.fromEntries(entries)
}

function plainValue(value: unknown): SourceValue {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'string') return value
  return null
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
