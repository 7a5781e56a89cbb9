import type { NewWork } from '@tollgate/store/outbox'
import type { TaskRow } from '@tollgate/store/tasks'

export type TaskOutcome = 'SUCCESS' | 'FAILURE'

/** Who tells owners how their tasks ended. */
export interface TaskNotifier {
  /** What is to be told of an end, queued by the transaction that ends the task; `undefined` when nobody asked. */
  readonly noticeOf: (task: TaskRow, outcome: TaskOutcome) => Promise<NewWork | undefined>
  /** Called once, after that transaction: what it queued can be delivered. Not waited for; it must not throw. */
  readonly ended: (task: TaskRow, outcome: TaskOutcome) => void
}
