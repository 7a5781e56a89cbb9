import { Problem } from '@tollgate/problems/problem'
import type { TaskRoute } from '@tollgate/providers/tasks/platform'
import { authenticate } from '../stations/admit/authenticate.ts'
import type { Caller } from '../stations/admit/caller.ts'
import type { Call } from '../call.ts'
import { RefusedCall, refuseKnown } from '../stations/record/refusals.ts'
import { answerJson } from './answer.ts'
import type { TaskRelayRoute } from './task-route.ts'
import { ContentProxy } from './content.ts'
import { ImageProxy, signedOwner } from './image.ts'
import { handleCallback } from './notify.ts'
import type { App } from '../app.ts'
import type { TaskCall } from './task-call.ts'
import { fetchNamed, fetchTask, listPage, listTasksAsked, readSeed, removeTask } from './read.ts'
import { submitTask } from './submit.ts'

export type ServeTask = (call: Call, relayRoute: TaskRelayRoute) => Promise<void>

/**
 * Handles task requests. Authentication errors have the usual format of the relay, except on a vendor's own
 * paths; all later errors have the platform's format.
 */
export function openTaskServices(app: App): ServeTask {
  const images = new ImageProxy(app)
  const contents = new ContentProxy(app)

  async function serve(
    task: TaskCall,
    route: Exclude<TaskRoute, { type: 'image' | 'notify' }>,
  ): Promise<void> {
    if (route.type === 'submit') return submitTask(task, route, app)
    if (route.type === 'refused') throw route.problem
    if (route.type === 'fetch-named') return fetchNamed(task, app)
    if (route.type === 'list') return listTasksAsked(task, app)
    if (route.type === 'page') return listPage(task, app)
    if (route.type === 'remove') return removeTask(task, route.taskId, app)
    if (route.type === 'seed') return readSeed(task, route, app)
    if (route.type === 'content')
      return contents.serve(task.call, { userId: task.caller.owner.id, taskId: route.taskId })
    return fetchTask(task, route.taskId, app)
  }

  return async (call, { platform, route, path }) => {
    if (route.type === 'image') return inWordsOf({ call, platform }, () => images.serve(call, route.taskId))
    if (route.type === 'notify')
      return inWordsOf({ call, platform }, () => handleCallback(call, platform, app))
    const marked = route.type === 'content' ? await signedOwner(call, route.taskId, app) : undefined
    if (route.type === 'content' && marked !== undefined) {
      const owned = { userId: marked, taskId: route.taskId }
      return inWordsOf({ call, platform }, () => contents.serve(call, owned))
    }
    const known = async (): Promise<Caller> => authenticate(call, path, app)
    const caller = await (platform.isVendorsOwn ? inWordsOf({ call, platform }, known) : known())
    if (caller === undefined) return
    const task = { call, caller, platform }
    const work = () => serve(task, route).catch((error: unknown) => refuseKnown(error, task))
    await inWordsOf(task, work, app.refusals)
  }
}

/**
 * Runs `work` and sends a Problem in the platform's format. `undefined` when the work was refused and the
 * error was sent.
 */
async function inWordsOf<Done>(
  { call, platform }: Pick<TaskCall, 'call' | 'platform'>,
  work: () => Promise<Done>,
  refusals?: App['refusals'],
): Promise<Done | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    call.counted?.failed()
    // A call with attempts already has its log row.
    if (error instanceof RefusedCall && call.trail.length === 0) refusals?.note(error.known, error)
    const { seconds } = error.parameters
    const retryAfterMs = typeof seconds === 'number' ? seconds * 1000 : undefined
    const answer = platform.refuse(error, error.textIn(call.language))
    answerJson(call, { ...answer, retryAfterMs, isError: true })
    return undefined
  }
}
