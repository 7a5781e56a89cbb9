import { checkedTaskMembers } from '@tollgate/dialects/checked/members'
import { textAt, type JsonObject } from '@tollgate/dialects/json'
import type { Problem } from '@tollgate/problems/problem'
import type { TaskAnswerOut, TaskRefused } from '@tollgate/providers/tasks/task'
import { readRemixAsk, readVideoAsk } from '@tollgate/providers/tasks/video-ask'
import { shownTask, type TaskApi, type TaskRoute, type TaskView } from '../task-api.ts'

/** OpenAI's video API. https://platform.openai.com/docs/api-reference/videos */
export const openaiVideos: TaskApi = {
  judged: checkedTaskMembers.video,
  route: ({ method, path }) => {
    const [, taskId, verb] = /^\/v1\/videos(?:\/([^/]+)(?:\/(content|remix))?)?$/.exec(path) ?? []
    if (method === 'POST' && path === '/v1/videos') return { type: 'submit', verb: 'create', path }
    if (method === 'GET' && path === '/v1/videos') return { type: 'page' }
    if (taskId === undefined) return undefined
    if (method === 'DELETE' && verb === undefined) return { type: 'remove', taskId }
    if (method === 'POST') return verb === 'remix' ? { type: 'submit', verb: taskId, path } : undefined
    return method === 'GET' ? readingOf(taskId, verb) : undefined
  },
  readAsk: ({ verb, path }, body) => (path === '/v1/videos' ? readVideoAsk(body) : readRemixAsk(verb, body)),
  showAccepted: showVideo,
  showFetched: showVideo,
  showList: (tasks) => ({ object: 'list', data: tasks.map(showVideo) }),
  showPage: ({ tasks, hasMore }) => ({
    object: 'list',
    data: tasks.map(showVideo),
    first_id: tasks[0]?.taskId ?? null,
    last_id: tasks.at(-1)?.taskId ?? null,
    has_more: hasMore,
  }),
  showRemoved: (taskId) => ({ id: taskId, object: 'video.deleted', deleted: true }),
  refuse: refuseVideo,
  showRefused: refusedVideo,
}

function readingOf(taskId: string, verb: string | undefined): TaskRoute | undefined {
  if (verb === undefined) return { type: 'fetch', taskId }
  return verb === 'content' ? { type: 'content', taskId } : undefined
}

/** The older form of this video API, at `/v1/video/generations`. */
export const videoGenerations: TaskApi = {
  judged: checkedTaskMembers.video,
  route: ({ method, path }) => {
    const [, taskId] = /^\/v1\/video\/generations(?:\/([^/]+))?$/.exec(path) ?? []
    if (method === 'POST' && path === '/v1/video/generations') return { type: 'submit', verb: 'create', path }
    return method === 'GET' && taskId !== undefined ? { type: 'fetch', taskId } : undefined
  },
  readAsk: (_route, body) => readVideoAsk(body),
  showAccepted: (task) => ({ ...showVideo(task), task_id: task.taskId }),
  showFetched: (task) => ({ code: 'success', message: '', data: showTask(task) }),
  showList: (tasks) => ({ code: 'success', message: '', data: tasks.map(showTask) }),
  refuse: refuseVideo,
  showRefused: refusedVideo,
}

const STATES: Readonly<Record<string, string>> = {
  IN_PROGRESS: 'in_progress',
  SUCCESS: 'completed',
  FAILURE: 'failed',
}

/** Times are in whole seconds. */
function showVideo(task: TaskView): JsonObject {
  const { detail, status, finishMs } = task
  const url = textAt(detail, 'video_url')
  const { seconds } = detail
  return {
    id: task.taskId,
    object: 'video',
    model: detail['model'] ?? '',
    status: STATES[status] ?? 'queued',
    progress: Number.parseInt(task.progress, 10) || 0,
    prompt: detail['prompt'] ?? null,
    created_at: Math.floor(task.submitMs / 1000),
    completed_at: status === 'SUCCESS' ? Math.floor(finishMs / 1000) : null,
    expires_at: null,
    seconds: typeof seconds === 'number' ? String(seconds) : null,
    size: detail['size'] ?? null,
    remixed_from_video_id: detail['remix_of'] ?? null,
    error: status === 'FAILURE' ? { code: 'video_failed', message: task.failReason } : null,
    ...(url !== undefined && { metadata: { url } }),
  }
}

function showTask(task: TaskView): JsonObject {
  return { ...shownTask(task), result_url: task.detail['video_url'] ?? '', data: showVideo(task) }
}

function refuseVideo({ code, definition, parameters }: Problem, text: string): TaskAnswerOut {
  const type = definition.status < 500 ? 'invalid_request_error' : 'tollgate_error'
  const param = typeof parameters['param'] === 'string' ? parameters['param'] : null
  const task = code === 'task_outcome_unknown' ? { task_id: parameters['task'] } : {}
  return {
    status: code === 'task_not_found' ? 404 : definition.status,
    body: { error: { message: text, type, param, code, ...task } },
  }
}

function refusedVideo({ reason, code }: TaskRefused): JsonObject {
  return { error: { message: reason, type: 'upstream_error', param: null, code } }
}
