import type { Source, SourceRow } from '../source.ts'
import { readLitellm } from './read-litellm.ts'

/**
 * A database of LiteLLM in the form of new-api, so that everything behind it is the same: accounts, repetition,
 * the report. The tables of LiteLLM stay readable, for what is lost of them.
 */
export async function adaptLitellm(
  source: Source,
  config: Pick<MadeRows, 'channels' | 'options'>,
): Promise<Source> {
  const rows = await readLitellm(source)
  return addTables(source, { ...rows, ...config })
}

export interface MadeRows {
  readonly users: readonly SourceRow[]
  readonly tokens: readonly SourceRow[]
  readonly channels: readonly SourceRow[]
  readonly options: readonly SourceRow[]
}

/** A source without a database behind it. */
export function createSource(name: string, rows: MadeRows): Source {
  const empty: Source = {
    name,
    tables: new Map(),
    count: async () => 0,
    largestId: async () => 0,
    countBy: async () => new Map(),
    columnFacts: () => new Map(),
    countFilled: async () => new Map(),
    pages: () => readPages([]),
    close: async () => undefined,
  }
  return addTables(empty, rows)
}

function addTables(source: Source, { users, tokens, channels, options }: MadeRows): Source {
  const ownTables = new Map<string, readonly SourceRow[]>([
    ['users', users],
    ['tokens', tokens],
    ['channels', channels],
    ['options', options],
  ])
  const columns = [...ownTables].map(([table, rows]) => [table, listColumns(table, rows)] as const)
  return {
    name: source.name,
    mark: String(users[0]?.['username'] ?? channels[0]?.['models'] ?? ''),
    tables: new Map([...source.tables, ...columns]),
    count: async (table) => ownTables.get(table)?.length ?? source.count(table),
    largestId: async (table) => Number(ownTables.get(table)?.at(-1)?.['id'] ?? 0),
    countBy: async () => new Map(),
    columnFacts: (table) => (ownTables.has(table) ? new Map() : source.columnFacts(table)),
    countFilled: async (table, list) => (ownTables.has(table) ? new Map() : source.countFilled(table, list)),
    pages: (table, options) =>
      ownTables.has(table) ? readPages(ownTables.get(table) ?? [], options) : source.pages(table, options),
    close: () => source.close(),
  }
}

const NEEDED: Readonly<Record<string, readonly string[]>> = {
  users: ['id', 'username', 'password', 'quota'],
  tokens: ['id', 'user_id', 'key', 'remain_quota'],
  channels: ['id', 'type', 'key', 'models'],
  options: ['key', 'value'],
}

function listColumns(table: string, rows: readonly SourceRow[]): ReadonlySet<string> {
  return new Set([...(NEEDED[table] ?? []), ...rows.flatMap((row) => Object.keys(row))])
}

async function* readPages(
  rows: readonly SourceRow[],
  { after = 0, rowsMax = 1_000 }: { after?: number; rowsMax?: number } = {},
): AsyncGenerator<readonly SourceRow[]> {
  const rest = rows.filter((row) => row['id'] === undefined || Number(row['id']) > after)
  for (let start = 0; start < rest.length; start += rowsMax) yield rest.slice(start, start + rowsMax)
}
