import { whole } from '@tollgate/importer/cell'
import { sumUsageHours } from '@tollgate/importer/map-usage-hour'
import { addUsageHours } from '@tollgate/store/imported-rows'
import { passRows } from './pass-rows.ts'
import type { Passage } from './passage.ts'

/** What each user used of each model by the hour; several rows of an hour become one. */
export function passUsageHours(passage: Passage): Promise<void> {
  return passRows(passage, {
    table: 'quota_data',
    map: (row) => ({ id: whole(row, 'id'), row, refusal: undefined, name: '', notes: [] }),
    findForeign: async () => [],
    insert: (transaction, rows) => addUsageHours(transaction, sumUsageHours(rows)),
  })
}
