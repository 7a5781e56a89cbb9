import { whole } from '@tollgate/importer/cell'
import { type MappedTask, mapDrawing, mapTask } from '@tollgate/importer/map-task'
import type { SourceRow } from '@tollgate/importer/source'
import { insertTasks } from '@tollgate/store/imported-rows'
import { passRows } from './pass-rows.ts'
import type { Passage } from './passage.ts'

/** Drawings and other tasks share one table here, so that they get new ids; callers know them by their task ids. */
export async function passTasks(passage: Passage): Promise<void> {
  await passTable(passage, 'tasks', mapTask)
  await passTable(passage, 'midjourneys', mapDrawing)
}

function passTable(passage: Passage, table: string, map: (row: SourceRow) => MappedTask): Promise<void> {
  return passRows(passage, {
    table,
    map: (row) => {
      const task = map(row)
      return { id: whole(row, 'id'), row: task, refusal: undefined, name: task.task_id, notes: [] }
    },
    findForeign: async () => [],
    insert: insertTasks,
  })
}
