import { Problem } from '@tollgate/problems/problem'
import { authenticate } from '../stations/admit/authenticate.ts'
import type { Caller } from '../stations/admit/caller.ts'
import type { Call } from '../call.ts'
import { RefusedCall, refuseKnown } from '../stations/record/refusals.ts'
import type { TaskRoute } from '../operations/task-api.ts'
import { answerJson } from './answer.ts'
import type { TaskRelayRoute } from './task-route.ts'
import { ContentProxy } from './content.ts'
import { ImageProxy, type NamedTask, signedOwner } from './image.ts'
import { handleCallback } from './notify.ts'
import type { App } from '../app.ts'
import type { TaskCall } from './task-call.ts'
import { fetchNamed, fetchTask, listPage, listTasksAsked, readSeed, removeTask } from './read.ts'
import { submitTask } from './submit.ts'

export type ServeTask = (call: Call, relayRoute: TaskRelayRoute) => Promise<void>

/**
 * Handles task requests. Authentication errors have the usual format of the relay, except on a vendor's own
 * paths; all later errors have the format of their API.
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
      return contents.serve(task.call, { ...named(task, route.taskId), userId: task.caller.owner.id })
    return fetchTask(task, route.taskId, app)
  }

  return async (call, { operation, api, route, path }) => {
    const asked = { call, operation, api }
    if (route.type === 'image') return inWordsOf(asked, () => images.serve(call, named(asked, route.taskId)))
    if (route.type === 'notify') return inWordsOf(asked, () => handleCallback(asked, app))
    if (route.type === 'content') {
      const shown = named(asked, route.taskId)
      const userId = await signedOwner(call, shown, app)
      if (userId !== undefined) return inWordsOf(asked, () => contents.serve(call, { ...shown, userId }))
    }
    const known = async (): Promise<Caller> => authenticate(call, path, app)
    const caller = await (api.isVendorsOwn ? inWordsOf(asked, known) : known())
    if (caller === undefined) return
    const task = { ...asked, caller }
    const work = () => serve(task, route).catch((error: unknown) => refuseKnown(error, task))
    await inWordsOf(task, work, app.refusals)
  }
}

function named({ operation }: Pick<TaskCall, 'operation'>, taskId: string): NamedTask {
  return { platform: operation.endsLater.platform, taskId }
}

/**
 * Runs `work` and sends a Problem in the format of the API. `undefined` when the work was refused and the
 * error was sent.
 */
async function inWordsOf<Done>(
  { call, api }: Pick<TaskCall, 'call' | 'api'>,
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
    const answer = api.refuse(error, error.textIn(call.language))
    answerJson(call, { ...answer, retryAfterMs, isError: true })
    return undefined
  }
}
