import { userColumns, tokenColumns } from './accounts.ts'
import { abilityColumns, channelColumns } from './channels.ts'
import type { FamilyColumn } from './column.ts'
import { recordColumns } from './records.ts'
import { litellmColumns } from '../litellm/columns.ts'
import { tradeColumns } from './trade.ts'

/**
 * The columns of new-api, one-api and their forks in the tables that an import reads. It is the list by which the
 * import reports what it does not keep, and from which the databases of the tests are made.
 */
export const familyColumns: readonly FamilyColumn[] = [
  ...userColumns,
  ...tokenColumns,
  ...channelColumns,
  ...abilityColumns,
  ...tradeColumns,
  ...recordColumns,
  ...litellmColumns,
]

const byTable = Map.groupBy(familyColumns, ({ table }) => table)

/** Columns and members of a table by their names. */
export function listFamilyColumns(table: string): ReadonlyMap<string, FamilyColumn> {
  return new Map((byTable.get(table) ?? []).map((column) => [column.column, column]))
}
