import type { App } from '../app.ts'
import type { SubmitRoute } from '../operations/task-api.ts'
import { refuseKnown } from '../stations/record/refusals.ts'
import { inOrder } from '../stations/route/in-order.ts'
import { admitTask } from './admit-task.ts'
import { answerJson } from './answer.ts'
import { attemptTask, mayTryAgain, type TriedTask } from './attempt-task.ts'
import { routeTask } from './channels.ts'
import { type HeldTask, holdTask } from './hold-task.ts'
import { settleTask } from './settle-task.ts'
import type { TaskCall } from './task-call.ts'

/**
 * Submits a task by the stations of a call: places the hold, sends the request, on acceptance charges and
 * stores the task in one transaction, then responds. If it is unknown whether the upstream accepted it, the
 * task is stored too, and refunded at its deadline.
 */
export async function submitTask(task: TaskCall, route: SubmitRoute, app: App): Promise<void> {
  const admitted = await admitTask(task, route, app)
  try {
    const held = await holdTask(admitted, app)
    const tried = await serve(held, app)
    answerJson(task.call, await settleTask(tried, app))
  } catch (error) {
    refuseKnown(error, admitted)
  }
}

/** Makes attempts like those of other calls, as long as it is certain that the last one did not begin the work. */
async function serve(first: HeldTask, app: App): Promise<TriedTask> {
  let tried: TriedTask = { held: first, choice: undefined, sent: undefined }
  for (const { held, choice } of inOrder(first, (group) => routeTask(group, app))) {
    if (choice === undefined) continue
    const sent = await attemptTask(held, choice, app)
    tried = { held, choice, sent }
    if (!mayTryAgain(sent)) break
  }
  return tried
}
