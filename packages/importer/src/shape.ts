import { type Source, SourceError } from './source.ts'

/** Columns without which a table is not the one we know; all others may be missing. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  users: ['id', 'username', 'password', 'quota'],
  tokens: ['id', 'user_id', 'key', 'remain_quota'],
  channels: ['id', 'type', 'key', 'models'],
  options: ['key', 'value'],
}

/** What every database of Tollgate has. */
const OUR_MARK = 'schema_migration'

export function hasOurMark({ tables }: Source): boolean {
  return tables.has(OUR_MARK)
}

/** Throws a {@link SourceError} when the database belongs to something else. */
export function requireFamilySchema({ name, tables }: Source): void {
  for (const [table, columns] of Object.entries(NEEDED)) {
    const present = tables.get(table)
    const missing = present && columns.find((column) => !present.has(column))
    if (present && missing === undefined) continue
    const what = present ? `its table ${table} has no column ${missing}` : `it has no table ${table}`
    throw new SourceError(`${name} is no database that can be imported: ${what}.`)
  }
}

const OTHER_TABLES = [
  'redemptions',
  'redemption_logs',
  'top_ups',
  'midjourneys',
  'tasks',
  'quota_data',
  'abilities',
  'logs',
  'setups',
]

const READ_TABLES: ReadonlySet<string> = new Set([...Object.keys(NEEDED), ...OTHER_TABLES])

/** Tables that are not read at all: of newer relatives, or of other programs. */
export function otherTables({ tables }: Source): readonly string[] {
  return [...tables.keys()].filter((table) => !READ_TABLES.has(table)).sort()
}

/**
 * Type 5 of a log row is a check-in in the systems that know check-ins by user, and an error in their relatives.
 */
export function knowsCheckIns({ tables }: Source): boolean {
  return tables.get('users')?.has('last_check_in_time') ?? false
}
