import { isOldDrawing } from '@tollgate/contract/log-event/old-sentence'
import { paths } from '../../../shared/routing/paths.ts'
import { clausesOf } from '../row-text/row-text.ts'
import type { CallRow } from '../table/call-row.ts'

/** The drawing, song or video that a row is about. */
export interface TaskOfRow {
  readonly id: string
  readonly action: string | undefined
  /** Where the log of drawings or of tasks shows it. */
  readonly address: string
}

const DRAWINGS = 'mj'

/** Older rows name the platform and the action in their sentence alone. */
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
