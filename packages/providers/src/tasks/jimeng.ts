import { isRecord, recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { framesOf, vendorName } from './jimeng-names.ts'
import { idOf, type TaskAnswer, type TaskAsk, type VideoWork } from './task.ts'
import { bearerOf, videoOf, type ChannelTarget } from './upstream.ts'
import { videoUpstream, workOfFrames } from './video-upstream.ts'
import { acceptedVideo, doneWith, videoUpdate, refusedVideo, stateIn } from './video-reply.ts'
import { linesOf, shapeOf } from './video-size.ts'

const STATES = {
  in_queue: 'QUEUED',
  generating: 'IN_PROGRESS',
  done: 'SUCCESS',
  not_found: 'FAILURE',
  expired: 'FAILURE',
} as const

/**
 * Jimeng video generation. https://www.volcengine.com/docs/85621. Polling a task requires its model as well,
 * so the task id here is `<model>/<id>`.
 */
export const jimengUpstream = videoUpstream({
  make: ({ model, work }) => ofItsModel(work, model),
  // With a key of two parts the provider signs each request; a key of one part belongs to another gateway and
  // is sent as a bearer token.
  headers: (key) => (isPlain(key) ? bearerOf(key) : {}),
  submit: (ask, place) => ({
    method: 'POST',
    path: pathOf('CVSync2AsyncSubmitTask', place),
    body: written(ask, place.model),
  }),
  readReply: (ask, answer, { model }) => {
    const taskId = idOf(recordAt(answer.body ?? {}, 'data')?.['task_id'])
    if (answer.body?.['code'] !== DONE || taskId === '') return refusedVideo(ask, inWords(answer))
    return acceptedVideo(ask, `${vendorName(model, videoOf(ask).images.length)}/${taskId}`)
  },
  poll: ([task], place) => {
    const [, name = '', taskId = ''] = /^(.*)\/([^/]*)$/.exec(task?.taskId ?? '') ?? []
    return {
      method: 'POST',
      path: pathOf('CVSync2AsyncGetResult', place),
      body: { req_key: name, task_id: taskId },
    }
  },
  readPoll: ({ body }, [asked]) => {
    if (asked === undefined || !isRecord(body)) return undefined
    const { code } = body
    const data = recordAt(body, 'data')
    const isOver = data !== undefined && textAt(data, 'status') === FAILED_BEHIND
    if (isOver || (typeof code === 'number' && REFUSED_LATER.has(code))) return [failed(asked.taskId, body)]
    return code === DONE && data !== undefined ? [updateOf(asked.taskId, data)] : undefined
  },
})

const DONE = 10_000
/** Content moderation refused the request or the resulting video. */
const REFUSED_LATER: ReadonlySet<number> = new Set([50_411, 50_412, 50_413, 50_511, 50_512, 50_514, 50_518])
/**
 * The status with which an intermediate gateway marks a final failure, beside an error code that is otherwise
 * temporary.
 */
const FAILED_BEHIND = 'failed'
const STATUS_OF: ReadonlyMap<number, number> = new Map([
  [50_400, 403],
  [50_429, 429],
  [50_430, 429],
])

function isPlain(key: string): boolean {
  return !key.includes('|')
}

function pathOf(action: string, { key }: ChannelTarget): string {
  return `${isPlain(key) ? '/jimeng' : ''}/?Action=${action}&Version=2022-08-31`
}

function inWords({ status, body }: TaskAnswer): TaskAnswer {
  const code = body?.['code']
  if (typeof code !== 'number') return { status, body }
  const message = textAt(body ?? {}, 'message') ?? ''
  const reported = STATUS_OF.get(code) ?? (status < 300 ? 400 : status)
  return { status: reported, body: { error: { message, code: String(code) } } }
}

function written(ask: TaskAsk, model: string): JsonObject {
  const { images, seconds = 5, size, extras } = workOfFrames(ask, { hasSound: false })
  const frames = framesOf(seconds)
  const { ratio } = shapeOf(size)
  return {
    prompt: ask.prompt,
    ...(ratio !== undefined && { aspect_ratio: ratio }),
    ...extras,
    ...picturesOf(images),
    req_key: vendorName(model, images.length),
    frames,
  }
}

/**
 * The resolution is determined by the model. A request for a larger one is refused, because it needs another
 * model.
 */
function ofItsModel(work: VideoWork, model: string): VideoWork {
  const lines = /1080p|_pro$/i.test(model) ? '1080p' : /v30|720p/i.test(model) ? '720p' : undefined
  const reported = linesOf(work)
  if (reported === undefined) return work
  if (lines !== undefined && Number.parseInt(reported, 10) > Number.parseInt(lines, 10))
    throw problem('member_invalid', { param: work.resolution === undefined ? 'size' : 'resolution' })
  return { ...work, size: shapeOf(work.size).ratio, resolution: lines }
}

/** Sends images either all by URL or all as base64. */
function picturesOf(images: readonly string[]): JsonObject {
  if (images.length === 0) return {}
  if (images.every((image) => /^https?:\/\//i.test(image))) return { image_urls: images }
  if (images.some((image) => /^https?:\/\//i.test(image)))
    throw problem('member_invalid', { param: 'images' })
  return { binary_data_base64: images.map((image) => image.replace(/^data:[^,]*;base64,/i, '')) }
}

function updateOf(taskId: string, data: JsonObject) {
  const url = textAt(data, 'video_url')
  return videoUpdate({
    taskId,
    status: doneWith(stateIn(STATES, data, 'status'), url),
    failReason: textAt(data, 'status') ?? '',
    url,
  })
}

function failed(taskId: string, body: JsonObject) {
  return videoUpdate({ taskId, status: 'FAILURE', failReason: textAt(body, 'message') ?? '' })
}
