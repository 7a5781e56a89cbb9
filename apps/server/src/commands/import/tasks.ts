import { whole } from '@tollgate/importer/cell'
import { type MappedTask, mapDrawing, mapTask } from '@tollgate/importer/map-task'
import type { SourceRow } from '@tollgate/importer/source'
import { insertImported } from '@tollgate/store/transfer/imported-rows'
import { importRows } from './import-rows.ts'
import type { ImportContext } from './import-context.ts'

/** Drawings and other tasks share one table here and get new ids; callers refer to them by their task ids. */
export async function importTasks(context: ImportContext): Promise<void> {
  await passTable(context, 'tasks', mapTask)
  await passTable(context, 'midjourneys', mapDrawing)
}

function passTable(
  context: ImportContext,
  table: string,
  map: (row: SourceRow) => MappedTask,
): Promise<void> {
  return importRows(context, {
    table,
    map: (row) => {
      const task = map(row)
      return { id: whole(row, 'id'), row: task, refusal: undefined, name: task.task_id, notes: [] }
    },
    findForeign: async () => [],
    insert: (db, rows) => insertImported(db, 'tasks', rows),
  })
}
