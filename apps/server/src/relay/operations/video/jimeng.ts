import { checkedTaskMembers } from '@tollgate/dialects/checked/members'
import { mediaTypeOf } from '@tollgate/dialects/canonical/media-type'
import { textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem, type Problem } from '@tollgate/problems/problem'
import { familyName, secondsOfFrames } from '@tollgate/providers/tasks/jimeng-names'
import type { TaskAnswerOut, TaskAsk } from '@tollgate/providers/tasks/task'
import type { TaskApi, TaskRequestLine, TaskRoute, TaskView } from '../task-api.ts'
import { readVideoAsk } from '@tollgate/providers/tasks/video-ask'

/**
 * The video API of Jimeng, for the vendor's own clients. There is one path, and the query determines the
 * action. https://www.volcengine.com/docs/85621/1792704
 */
export const jimengVideos: TaskApi = {
  isVendorsOwn: true,
  judged: checkedTaskMembers.jimeng,
  route,
  readAsk: (_route, body) => readAsk(body),
  readTaskId: (body) => textAt(body, 'task_id') ?? '',
  showAccepted: ({ taskId }) => reported({ task_id: taskId }),
  showFetched,
  showList: (tasks) => tasks.map(showFetched),
  refuse,
  showRefused: ({ reason, status }) => failed(codeOf(status), reason),
}

const SUBMIT = 'CVSync2AsyncSubmitTask'
const RESULT = 'CVSync2AsyncGetResult'

function route({ method, path, query }: TaskRequestLine): TaskRoute | undefined {
  if (method !== 'POST' || path !== '/jimeng') return undefined
  const action = query.get('Action')
  if (action === SUBMIT) return { type: 'submit', verb: action, path }
  if (action === RESULT) return { type: 'fetch-named' }
  return {
    type: 'refused',
    problem: problem(action ? 'member_invalid' : 'member_missing', { param: 'Action' }),
  }
}

function readAsk(body: JsonObject): TaskAsk {
  const { req_key: name, prompt, image_urls: urls, binary_data_base64: data, ...others } = body
  const { frames, aspect_ratio: size, metadata: _none, ...rest } = others
  if (typeof name !== 'string' || name === '') throw problem('model_required', { param: 'req_key' })
  const images = [...listAt(urls, 'image_urls'), ...listAt(data, 'binary_data_base64').map(dataUrl)]
  const seconds = frames === undefined ? undefined : secondsOfFrames(frames)
  const ask = readVideoAsk({ model: name, prompt, images, seconds, size, metadata: rest })
  const family = familyName(name, images.length)
  return family === undefined ? ask : { ...ask, otherModel: family }
}

function listAt(value: unknown, param: string): readonly string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string'))
    throw problem('member_invalid', { param })
  return value
}

/** Other vendors need the media type of an image, so base64 becomes a data URL. */
function dataUrl(text: string): string {
  if (text.startsWith('data:')) return text
  const type = mediaTypeOf(Buffer.from(text.slice(0, 64), 'base64'))
  if (type === undefined) throw problem('member_invalid', { param: 'binary_data_base64' })
  return `data:${type};base64,${text}`
}

const STATES: Readonly<Record<string, string>> = { IN_PROGRESS: 'generating', SUCCESS: 'done' }

function showFetched({ taskId, status, failReason, detail }: TaskView): JsonObject {
  if (status === 'FAILURE')
    return { ...failed(INTERNAL, failReason), data: { task_id: taskId, status: 'failed' } }
  return reported({ status: STATES[status] ?? 'in_queue', video_url: textAt(detail, 'video_url') ?? '' })
}

/** In Jimeng's API an unknown task is not an error but the status `not_found`. */
function refuse({ code, definition, parameters }: Problem, text: string): TaskAnswerOut {
  const { status } = definition
  if (code === 'task_not_found')
    return { status: 200, body: reported({ status: 'not_found', video_url: '' }) }
  const data = code === 'task_outcome_unknown' ? { data: { task_id: parameters['task'] } } : {}
  return { status, body: { ...failed(codeOf(status), text), ...data } }
}

const DONE = 10_000
const INTERNAL = 50_500

/** Maps an HTTP status to the vendor's error code. */
function codeOf(status: number): number {
  if (status === 401 || status === 403) return 50_400
  if (status === 429) return 50_429
  return status < 500 ? 50_215 : INTERNAL
}

function reported(data: JsonObject): JsonObject {
  return { code: DONE, data, message: 'Success', request_id: '', status: DONE }
}

function failed(code: number, message: string): JsonObject {
  return { code, data: null, message, request_id: '', status: code }
}
