import type { DatabaseSync } from 'node:sqlite'

/** A check reads every page of the tables it covers. This size takes one or two seconds. */
const WHOLE_BYTES_MAX = 512 * 1024 * 1024

/** Tables with rows per call. A start needs all other tables; damage in these shows when they are read. */
const OF_CALLS: ReadonlySet<string> = new Set([
  'logs',
  'log_texts',
  'usage_cells',
  'usage_routes',
  'usage_owners',
  'usage_owner_groups',
  'usage_route_days',
  'usage_owner_days',
  'usage_owner_model_days',
  'usage_owner_group_days',
  'usage_owner_channel_days',
  'entry',
])

/**
 * Returns the first problem found, or `ok`. In a large database the tables with rows per call are skipped.
 */
export function quickCheck(database: DatabaseSync, wholeBytesMax = WHOLE_BYTES_MAX): string {
  if (bytesOf(database) <= wholeBytesMax) return firstOf(database, 'pragma quick_check(1)')
  for (const table of checkedTables(database)) {
    const verdict = firstOf(database, `pragma quick_check("${table}")`)
    if (verdict !== 'ok') return verdict
  }
  return 'ok'
}

function checkedTables(database: DatabaseSync): readonly string[] {
  const names = database.prepare("select name from sqlite_schema where type = 'table'").all()
  return names.map((row) => String(row['name'])).filter((name) => !OF_CALLS.has(name))
}

function bytesOf(database: DatabaseSync): number {
  return Number(firstOf(database, 'pragma page_count')) * Number(firstOf(database, 'pragma page_size'))
}

function firstOf(database: DatabaseSync, statement: string): string {
  return String(Object.values(database.prepare(statement).get() ?? {})[0])
}
