import { type Source, SourceError } from './source.ts'

/**
 * Columns that a table must have to be recognised as one of new-api or a fork. Every other column may be
 * missing.
 */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  users: ['id', 'username', 'password', 'quota'],
  tokens: ['id', 'user_id', 'key', 'remain_quota'],
  channels: ['id', 'type', 'key', 'models'],
  options: ['key', 'value'],
}

/** A table that exists in every Tollgate database. */
const OUR_MARK = 'schema_migration'

export function isTollgateDatabase({ tables }: Source): boolean {
  return tables.has(OUR_MARK)
}

/** Throws a {@link SourceError} when the database is not one of new-api or a fork. */
export function requireNewApiSchema({ name, tables }: Source): void {
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
  'user_subscriptions',
  'LiteLLM_VerificationToken',
  'LiteLLM_UserTable',
  'LiteLLM_TeamTable',
  'LiteLLM_BudgetTable',
]

const READ_TABLES: ReadonlySet<string> = new Set([...Object.keys(NEEDED), ...OTHER_TABLES])

/** Tables of the source whose rows the import reads. */
export function readTables({ tables }: Source): readonly string[] {
  return [...tables.keys()].filter((table) => READ_TABLES.has(table)).sort()
}

/** Tables that the import does not read: those of newer forks or of other programs. */
export function otherTables({ tables }: Source): readonly string[] {
  return [...tables.keys()].filter((table) => !READ_TABLES.has(table)).sort()
}

/**
 * In a log row, type 5 means a check-in in the forks that store each user's last check-in, and an error in
 * the others.
 */
export function knowsCheckIns({ tables }: Source): boolean {
  return tables.get('users')?.has('last_check_in_time') ?? false
}
