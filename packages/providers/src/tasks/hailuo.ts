import { isRecord, recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import type { TaskAnswer, TaskAsk } from './task.ts'
import { videoOf } from './upstream.ts'
import { videoUpstream, workOfFrames } from './video-upstream.ts'
import { doneWith, videoUpdate, refusedVideo, stateIn, videoReply } from './video-reply.ts'
import { linesOf } from './video-size.ts'

const STATES = {
  preparing: 'SUBMITTED',
  queueing: 'QUEUED',
  processing: 'IN_PROGRESS',
  success: 'SUCCESS',
  fail: 'FAILURE',
} as const

/** MiniMax (Hailuo) video generation. https://platform.minimaxi.com/document/video_generation */
export const hailuoUpstream = videoUpstream({
  secondsDefault: 6,
  submit: (ask, { model }) => ({
    method: 'POST',
    path: '/v1/video_generation',
    body: written(ask, model),
  }),
  readReply: (ask, answer) => {
    const code = codeOf(answer.body)
    return code === 0 ? videoReply(ask, answer, answer.body?.['task_id']) : refusedVideo(ask, inWords(answer))
  },
  pollPath: (id) => `/v1/query/video_generation?task_id=${id}`,
  // The poll response contains only a file id; the download URL takes a second request.
  pollMore: (body) => {
    const file = fileOf(body)
    if (stateIn(STATES, body, 'status') !== 'SUCCESS' || file === '') return undefined
    return { method: 'GET', path: `/v1/files/retrieve?file_id=${encodeURIComponent(file)}` }
  },
  isGone: (body) => codeOf(body) === UNKNOWN_TASK,
  readUpdate,
})

const UNKNOWN_TASK = 2013
/** Content moderation refused the request or the resulting video. */
const REFUSED_LATER: ReadonlySet<number | undefined> = new Set([1026, 1027])

/** Every response has status 200. This table gives the HTTP status for the error codes inside. */
const STATUS_OF: ReadonlyMap<number, number> = new Map([
  [1002, 429],
  [1004, 401],
  [1008, 402],
  [1039, 429],
  [2049, 401],
])

function codeOf(body: JsonObject | undefined): number | undefined {
  const code = (body && recordAt(body, 'base_resp'))?.['status_code']
  return typeof code === 'number' ? code : undefined
}

function inWords(answer: TaskAnswer): TaskAnswer {
  const code = codeOf(answer.body)
  if (code === undefined || code === 0) return answer
  const message = textAt(recordAt(answer.body ?? {}, 'base_resp') ?? {}, 'status_msg') ?? ''
  return { status: STATUS_OF.get(code) ?? 400, body: { error: { message, code: String(code) } } }
}

function written(ask: TaskAsk, model: string): JsonObject {
  const { images, seconds, extras } = workOfFrames(ask, { hasSound: false })
  const [first, last] = images
  const lines = linesFor(ask, model)
  return {
    prompt: ask.prompt,
    ...(first !== undefined && { first_frame_image: first }),
    ...(last !== undefined && { last_frame_image: last }),
    ...(lines !== undefined && { resolution: lines }),
    ...extras,
    model,
    ...(seconds !== undefined && { duration: seconds }),
  }
}

/** The newer models generate 768 lines where others generate 720. */
function linesFor(ask: TaskAsk, model: string): string | undefined {
  const reported = linesOf(videoOf(ask))
  if (reported === undefined) return undefined
  const lines = Number.parseInt(reported, 10)
  if (lines > 1080) throw problem('member_invalid', { param: 'size' })
  if (lines === 1080) return '1080P'
  const isNewer = /hailuo/i.test(model)
  return lines >= 720 ? (isNewer ? '768P' : '720P') : '512P'
}

function fileOf(body: JsonObject): string {
  const id = body['file_id']
  return typeof id === 'string' || typeof id === 'number' ? String(id) : ''
}

function readUpdate(taskId: string, body: JsonObject, more: unknown) {
  if (REFUSED_LATER.has(codeOf(body))) return refusedLater(taskId, body)
  if (codeOf(body) !== 0) return undefined
  const url = textAt(recordAt(isRecord(more) ? more : {}, 'file') ?? {}, 'download_url')
  return videoUpdate({
    taskId,
    status: doneWith(stateIn(STATES, body, 'status'), url),
    failReason: textAt(body, 'error_message') ?? textAt(body, 'status') ?? '',
    url,
  })
}

function refusedLater(taskId: string, body: JsonObject) {
  const failReason = textAt(recordAt(body, 'base_resp') ?? {}, 'status_msg') ?? ''
  return videoUpdate({ taskId, status: 'FAILURE', failReason })
}
