import { parseObject, type JsonObject } from '@tollgate/dialects/json'
import { readObject } from '@tollgate/dialects/json-limits'
import { problem } from '@tollgate/problems/problem'
import { listOwnTasks, listTaskPage, removeEndedTask } from '@tollgate/store/operations/tasks'
import { askUpstream } from '../../tasks/ask-upstream.ts'
import { answerJson } from './answer.ts'
import { channelOf } from './channels.ts'
import { ownTask, viewOf } from './own-task.ts'
import type { App } from '../app.ts'
import type { TaskCall } from './task-call.ts'
import { readShortBody } from './read-body.ts'

/** Reading tasks: a caller sees only their own, whichever models the token allows. */

export async function fetchTask(task: TaskCall, taskId: string, app: App): Promise<void> {
  const row = await ownTask(task, taskId, app)
  answerJson(task.call, { status: 200, body: task.api.showFetched(viewOf(row, app)) })
}

/** Like {@link fetchTask}, with the id in the body. */
export async function fetchNamed(task: TaskCall, app: App): Promise<void> {
  const { call, api } = task
  const body = readObject(
    await readShortBody(call, { userId: task.caller.owner.id, bytesMax: LIST_BYTES_MAX }, app),
  )
  return fetchTask(task, api.readTaskId?.(body) ?? '', app)
}

const IDS_MAX = 100
const LIST_BYTES_MAX = 256 * 1024

export async function listTasksAsked(task: TaskCall, app: App): Promise<void> {
  const { call, caller, operation, api } = task
  const bytes = await readShortBody(call, { userId: task.caller.owner.id, bytesMax: LIST_BYTES_MAX }, app)
  const ids = bytes.length === 0 ? [] : idsIn(readObject(bytes))
  if (ids.length > IDS_MAX) throw problem('invalid_request', { reason: `at most ${IDS_MAX} ids` })
  const rows =
    ids.length === 0
      ? []
      : await listOwnTasks(app.db, {
          userId: caller.owner.id,
          platform: operation.endsLater.platform,
          taskIds: ids,
        })
  // Follow-up tasks can share an id; the newest is shown.
  const newest = new Map(rows.map((row) => [row.task_id, row]))
  const views = [...newest.values()].map((row) => viewOf(row, app))
  answerJson(call, { status: 200, body: api.showList(views) })
}

/** Unique ids; numbers are accepted as well as strings. */
function idsIn({ ids: asked }: JsonObject): readonly string[] {
  if (!Array.isArray(asked)) return []
  const ids = asked.map((id: unknown) => {
    if (typeof id !== 'string' && typeof id !== 'number') throw problem('member_invalid', { param: 'ids' })
    return String(id)
  })
  return [...new Set(ids)]
}

const PAGE_DEFAULT = 20
const PAGE_MAX = 100

/** Pagination as in OpenAI's lists: `limit`, `order`, and `after`, the last id of the previous page. */
export async function listPage(task: TaskCall, app: App): Promise<void> {
  const { call, caller, operation, api } = task
  const { searchParams } = new URL(call.request.url ?? '', 'http://gateway')
  const limit = limitOf(searchParams.get('limit'))
  const isOldestFirst = orderOf(searchParams.get('order')) === 'asc'
  const after = searchParams.get('after')
  const afterId = after === null ? undefined : (await ownTask(task, after, app)).id
  const query = {
    userId: caller.owner.id,
    platform: operation.endsLater.platform,
    afterId,
    isOldestFirst,
    limit: limit + 1,
  }
  const rows = await listTaskPage(app.db, query)
  const tasks = rows.slice(0, limit).map((row) => viewOf(row, app))
  answerJson(call, { status: 200, body: api.showPage?.({ tasks, hasMore: rows.length > limit }) })
}

function limitOf(text: string | null): number {
  if (text === null) return PAGE_DEFAULT
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > PAGE_MAX)
    throw problem('member_out_of_range', { param: 'limit', min: 1, max: PAGE_MAX })
  return limit
}

function orderOf(text: string | null): 'asc' | 'desc' {
  if (text === null || text === 'desc') return 'desc'
  if (text !== 'asc') throw problem('member_invalid', { param: 'order' })
  return 'asc'
}

/** Removes a task that has ended; others are not settled yet. */
export async function removeTask(task: TaskCall, taskId: string, app: App): Promise<void> {
  const { id, version } = await ownTask(task, taskId, app)
  if (!(await removeEndedTask(app.db, { id, version }))) throw problem('task_not_ended')
  answerJson(task.call, { status: 200, body: task.api.showRemoved?.(taskId) })
}

const SEED_MS = 30_000
const SEED_BYTES_MAX = 64 * 1024

/** Fetches the seed from the upstream, because the gateway does not store it. */
export async function readSeed(
  task: TaskCall,
  { taskId, path }: { readonly taskId: string; readonly path: string },
  app: App,
): Promise<void> {
  const row = await ownTask(task, taskId, app)
  const { channel, keyIndex } = channelOf(row, app)
  const { status, body } = await askUpstream(
    {
      channel,
      keyIndex,
      request: { method: 'GET', path },
      timeoutMs: SEED_MS,
      bytesMax: SEED_BYTES_MAX,
      nowMs: app.clock.nowMs(),
    },
    app,
  )
  const reported = parseObject(body)
  if (reported === undefined) throw problem('do_request_failed')
  answerJson(task.call, { status: status < 500 ? status : 502, body: reported })
}
