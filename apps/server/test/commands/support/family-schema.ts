import type { ColumnType, FirstRelease } from '@tollgate/importer/family/column'
import { familyColumns } from '@tollgate/importer/family/columns'
import { familyTables } from '@tollgate/importer/family/tables'
import type { SourceSchema } from './source-schema.ts'

/** The releases of which databases are made, from the list of the family's columns. */
export const RELEASES = ['one-api', '2025-04', '2025-10', '2026-04', '2026-09'] as const
export type Release = (typeof RELEASES)[number]

const CODES: Readonly<Record<ColumnType, string>> = {
  whole: 'I',
  decimal: 'F',
  flag: 'B',
  text: 'S',
  json: 'S',
  seconds: 'I',
  time: 'T',
}

/** Whether a release has what came with another. */
export function isIn(release: Release, since: FirstRelease): boolean {
  if (since === 'all') return true
  if (since === 'fork') return false
  if (release === 'one-api' || since === 'one-api') return since === release
  return since <= release
}

const IDENTIFIED = new Set(['abilities', 'options'])

/** The tables of a release. Those that the import does not read have an id, a user and two states. */
export function makeSchema(release: Release): SourceSchema {
  const columns = familyColumns.filter(({ column, since }) => !column.includes('.') && isIn(release, since))
  const read = [...Map.groupBy(columns, ({ table }) => table)].map(([table, list]) => {
    const types = list.map(({ column, type }) => [column, typeOf(table, column, type)] as const)
    return [table, Object.fromEntries(types)] as const
  })
  const unread = familyTables
    .filter(({ since }) => release !== 'one-api' && isIn(release, since))
    .map(({ table }) => [table, UNREAD] as const)
  return Object.fromEntries([...read, ...unread])
}

const UNREAD = { id: 'id', user_id: 'I', is_enabled: 'B', status: 'S', deleted_at: 'T' }

function typeOf(table: string, column: string, type: ColumnType): string {
  if (column === 'id' && !IDENTIFIED.has(table)) return 'id'
  if (table === 'options' && column === 'key') return 'K primary key'
  return CODES[type]
}
