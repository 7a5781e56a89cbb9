import { parseObject } from '@tollgate/dialects/json'
import { IMAGE_MARK, imageAddress, imageMarkText } from '@tollgate/providers/tasks/image-address'
import type { TaskView } from '@tollgate/providers/tasks/platform'
import type { TaskRow } from '@tollgate/store/operations/tasks'
import { isEnded } from '../../tasks/step.ts'
import type { App } from '../app.ts'

/** A task row as its owner sees it. */
export function viewOf(
  row: Omit<TaskRow, 'id' | 'quota' | 'version' | 'request_id'>,
  app: Pick<App, 'snapshots' | 'cipher' | 'clock' | 'ownAddress'>,
): TaskView {
  const { forwardsImages, serverAddress } = app.snapshots.settings().tasks
  const detail = parseObject(row.detail) ?? {}
  const {
    key_index: _ours,
    missed: _also,
    upstream_id: _theirs,
    tokens_usual: _priced,
    paid_units: _paid,
    booked: _told,
    ...shown
  } = detail
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
    detail: shown,
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
