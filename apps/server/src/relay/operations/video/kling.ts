import { checkedTaskMembers } from '@tollgate/dialects/checked/members'
import { textAt, type JsonObject } from '@tollgate/dialects/json'
import type { TaskApi, TaskView } from '../task-api.ts'
import { fromKling, readVideoAsk } from '@tollgate/providers/tasks/video-ask'

const PATH = /^\/kling\/v1\/videos\/(text2video|image2video)(?:\/([^/]+))?$/

/** The video API of Kling, for the vendor's own clients. https://app.klingai.com/global/dev/document-api */
export const klingVideos: TaskApi = {
  isVendorsOwn: true,
  judged: checkedTaskMembers.kling,
  route: ({ method, path }) => {
    const [, verb, taskId] = PATH.exec(path) ?? []
    if (verb === undefined) return undefined
    if (taskId === undefined) return method === 'POST' ? { type: 'submit', verb, path } : undefined
    return method === 'GET' ? { type: 'fetch', taskId } : undefined
  },
  readAsk: ({ verb }, body) => readVideoAsk(fromKling(body, verb)),
  showAccepted: (task) => reported(show(task)),
  showFetched: (task) => reported(show(task)),
  showList: (tasks) => reported(tasks.map(show)),
  refuse: ({ code, definition, parameters }, text) => {
    const status = code === 'task_not_found' ? 404 : definition.status
    const data = code === 'task_outcome_unknown' ? { data: { task_id: parameters['task'] } } : {}
    return { status, body: { code: codeOf(status), message: text, request_id: '', ...data } }
  },
  showRefused: ({ reason, status }) => ({ code: codeOf(status), message: reason, request_id: '' }),
}

/** Maps an HTTP status to the vendor's error code. */
function codeOf(status: number): number {
  if (status === 401) return 1000
  if (status === 403) return 1103
  if (status === 404) return 1203
  if (status === 429) return 1302
  return status < 500 ? 1201 : 5000
}

const STATES: Readonly<Record<string, string>> = {
  IN_PROGRESS: 'processing',
  SUCCESS: 'succeed',
  FAILURE: 'failed',
}

function reported(data: unknown): JsonObject {
  return { code: 0, message: 'SUCCEED', request_id: '', data }
}

/** Times are in milliseconds. */
function show({ taskId, status, failReason, submitMs, finishMs, detail }: TaskView): JsonObject {
  const url = textAt(detail, 'video_url')
  const seconds = detail['seconds']
  const video = { id: taskId, url, duration: typeof seconds === 'number' ? String(seconds) : '' }
  return {
    task_id: taskId,
    task_status: STATES[status] ?? 'submitted',
    task_status_msg: failReason,
    created_at: submitMs,
    updated_at: finishMs || submitMs,
    ...(url !== undefined && { task_result: { videos: [video] } }),
  }
}
