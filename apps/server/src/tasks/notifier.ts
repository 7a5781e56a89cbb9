import type { NewWork } from '@tollgate/store/operations/outbox'
import type { TaskRow } from '@tollgate/store/operations/tasks'

export type TaskOutcome = 'SUCCESS' | 'FAILURE'

/** Notifies owners of how their tasks ended. */
export interface TaskNotifier {
  /** The notification to queue in the transaction that ends the task; `undefined` when none was requested. */
  readonly noticeOf: (task: TaskRow, outcome: TaskOutcome) => Promise<NewWork | undefined>
  /**
   * Called once after that transaction, when the notification can be delivered. Not awaited; it must not
   * throw.
   */
  readonly ended: (task: TaskRow, outcome: TaskOutcome) => void
}
