import { parseObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/kit/problem'
import { listOwnTasks } from '@tollgate/store/tasks'
import { askUpstream } from '../../tasks/ask-upstream.ts'
import { readBody } from '../admit/body.ts'
import { answerJson } from './answer.ts'
import { channelOf, ownTask } from './channels.ts'
import type { TaskCall, TaskPorts } from './ports.ts'
import { viewOf } from './view.ts'

/** Reading tasks: only the caller's own, whichever models their token is for. */

export async function fetchTask(task: TaskCall, taskId: string, ports: TaskPorts): Promise<void> {
  const row = await ownTask(task, taskId, ports)
  answerJson(task.call, { status: 200, body: task.platform.showFetched(viewOf(row, ports)) })
}

const IDS_MAX = 100
const LIST_BYTES_MAX = 256 * 1024

export async function listTasksAsked(task: TaskCall, ports: TaskPorts): Promise<void> {
  const { call, caller, platform } = task
  const body = parseObject(await readBody(call.request, LIST_BYTES_MAX))
  const asked = body?.['ids']
  const ids = Array.isArray(asked) ? [...new Set(asked.map(String))] : []
  if (ids.length > IDS_MAX) throw problem('invalid_request', { reason: `at most ${IDS_MAX} ids` })
  const rows =
    ids.length === 0
      ? []
      : await listOwnTasks(ports.db, { userId: caller.owner.id, platform: platform.id, taskIds: ids })
  // Follow-ups share an id: the newest speaks for it.
  const newest = new Map(rows.map((row) => [row.task_id, row]))
  const views = [...newest.values()].map((row) => viewOf(row, ports))
  answerJson(call, { status: 200, body: platform.showList(views) })
}

const SEED_MS = 30_000
const SEED_BYTES_MAX = 64 * 1024

/** Only the upstream knows it. */
export async function readSeed(
  task: TaskCall,
  { taskId, path }: { readonly taskId: string; readonly path: string },
  ports: TaskPorts,
): Promise<void> {
  const row = await ownTask(task, taskId, ports)
  const { channel, keyIndex } = channelOf(row, ports)
  const { status, body } = await askUpstream(
    {
      channel,
      keyIndex,
      request: { method: 'GET', path },
      timeoutMs: SEED_MS,
      bytesMax: SEED_BYTES_MAX,
      nowMs: ports.clock.nowMs(),
    },
    ports.egress,
  )
  const told = parseObject(body)
  if (told === undefined) throw problem('do_request_failed')
  answerJson(task.call, { status: status < 500 ? status : 502, body: told })
}
