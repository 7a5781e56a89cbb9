import { parseObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { IMAGE_MARK, imageAddress, imageMarkText } from '@tollgate/providers/tasks/image-address'
import type { TaskAsk } from '@tollgate/providers/tasks/task'
import { type TaskRow, findOwnTask, isEnded } from '@tollgate/store/operations/tasks'
import type { App } from '../app.ts'
import type { TaskView } from '../operations/task-api.ts'
import type { TaskCall } from './task-call.ts'

/** Finds a task of the caller; throws `task_not_found` for other users' tasks too. */
export async function ownTask(
  { caller, operation }: Pick<TaskCall, 'caller' | 'operation'>,
  taskId: string,
  { db }: Pick<App, 'db'>,
): Promise<TaskRow> {
  const { platform } = operation.endsLater
  const row = await findOwnTask(db, { userId: caller.owner.id, platform, taskId })
  if (row === undefined) throw problem('task_not_found')
  return row
}

/** The caller's earlier task that a submission refers to. */
export async function originOf(task: TaskCall, { origin }: TaskAsk, app: App): Promise<TaskRow | undefined> {
  if (origin === undefined) return undefined
  const row = await ownTask(task, origin.taskId, app)
  if (origin.mustHaveSucceeded && row.status !== 'SUCCESS') throw problem('task_status_not_success')
  return row
}

/** Members of a task's detail that only the gateway uses. */
const HIDDEN = new Set(['key_index', 'missed', 'upstream_id', 'tokens_usual', 'paid_units', 'booked'])

/** A task row as its owner sees it. */
export function viewOf(
  row: Omit<TaskRow, 'id' | 'quota' | 'version' | 'request_id'>,
  app: Pick<App, 'snapshots' | 'cipher' | 'clock' | 'ownAddress'>,
): TaskView {
  const { forwardsImages, serverAddress } = app.snapshots.settings().tasks
  const detail = parseObject(row.detail) ?? {}
  const shown = Object.entries(detail).filter(([name]) => !HIDDEN.has(name))
  const owned = { userId: row.user_id, taskId: row.task_id }
  return {
    taskId: row.task_id,
    action: row.action,
    status: row.status,
    progress: row.progress,
    failReason: row.fail_reason,
    submitMs: row.submit_ms,
    startMs: row.start_ms,
    finishMs: row.finish_ms,
    detail: Object.fromEntries(shown),
    imageUrl: imageAddress({
      detail,
      taskId: row.task_id,
      isFinal: isEnded(row),
      forwarded: forwardsImages
        ? {
            server: serverAddress || app.ownAddress(),
            mark: app.cipher.mark(imageMarkText(owned), IMAGE_MARK),
            nowMs: app.clock.nowMs(),
          }
        : undefined,
    }),
  }
}
