import type { SubmitRoute } from '@tollgate/providers/tasks/platform'
import type { App } from '../app.ts'
import { admitTask } from './admit-task.ts'
import { answerJson } from './answer.ts'
import { attemptTask, mayTryAgain } from './attempt-task.ts'
import { routeTask } from './channels.ts'
import type { HeldTask, TriedTask } from './held-task.ts'
import { holdTask } from './hold-task.ts'
import { settleTask } from './settle-task.ts'
import type { TaskCall } from './task-call.ts'

/**
 * Submits a task by the stations of a call: places the hold, sends the request, on acceptance charges and
 * stores the task in one transaction, then responds. If it is unknown whether the upstream accepted it, the
 * task is stored too, and refunded at its deadline.
 */
export async function submitTask(task: TaskCall, route: SubmitRoute, app: App): Promise<void> {
  const admitted = await admitTask(task, route, app)
  const held = await holdTask(admitted, app)
  const tried = await serve(held, app)
  answerJson(task.call, await settleTask(tried, app))
}

/** Tries one group after the other, as long as it is certain that the last one did not begin the work. */
async function serve(first: HeldTask, app: App): Promise<TriedTask> {
  let tried: TriedTask = { held: first, choice: undefined, sent: undefined }
  for (let held: HeldTask | undefined = first; held !== undefined; held = held.next) {
    tried = await serveIn(held, tried, app)
    if (tried.sent !== undefined && !mayTryAgain(tried.sent)) return tried
  }
  return tried
}

/** Tries one channel after the other, like other calls. */
async function serveIn(held: HeldTask, before: TriedTask, app: App): Promise<TriedTask> {
  const { call, caller, group, settings } = held
  let tried = before
  for (let tries = 1; ; tries++) {
    const choice = routeTask(held, app)
    if (choice === undefined) return tried
    // The log row names the group that serves the task.
    if (call.asked !== undefined) call.asked = { ...call.asked, group }
    const sent = await attemptTask(held, choice, app)
    tried = { held, choice, sent }
    if (!mayTryAgain(sent) || caller.pinned !== undefined || tries > settings.retryTimes) return tried
  }
}
