import { isOldDrawing } from '@tollgate/contract/log-event/old-sentence'
import { paths } from '../../../shared/routing/paths.ts'
import { clausesOf } from '../row-text/row-text.ts'
import type { CallRow } from '../table/call-row.ts'

/** The drawing, song or video of a row. */
export interface TaskOfRow {
  readonly id: string
  readonly action: string | undefined
  /** Its address in the log of drawings or of tasks. */
  readonly address: string
}

const DRAWINGS = 'mj'

/** Older rows contain the platform and the action only in their text. */
export function taskOf(row: CallRow): TaskOfRow | undefined {
  const { task_id: id, platform, action } = row.record
  if (id === undefined) return undefined
  const isDrawing = platform === undefined ? isOldDrawing(row.content) : platform === DRAWINGS
  const written = clausesOf(row)?.find(({ name }) => name === 'action')?.values['action']
  return {
    id,
    action: action ?? written?.toString(),
    address: `${isDrawing ? paths.drawingLog : paths.taskLog}?${new URLSearchParams({ task_id: id })}`,
  }
}
