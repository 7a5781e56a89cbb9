import { whole } from '@tollgate/importer/cell'
import { sumUsageHours } from '@tollgate/importer/map-usage-hour'
import { addUsageHours } from '@tollgate/store/transfer/imported-rows'
import { importRows } from './import-rows.ts'
import type { ImportContext } from './import-context.ts'

/** Imports the hourly usage per user and model; several source rows of one hour become one. */
export function importUsageHours(context: ImportContext): Promise<void> {
  return importRows(context, {
    table: 'quota_data',
    map: (row) => ({ id: whole(row, 'id'), row, refusal: undefined, name: '', notes: [] }),
    findForeign: async () => [],
    insert: (transaction, rows) => addUsageHours(transaction, sumUsageHours(rows)),
  })
}
