import { recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { klingJwt, readKlingKey } from '../sign/kling-jwt.ts'
import type { TaskAsk, VideoWork } from './task.ts'
import { type ChannelTarget, type PolledTask, type TaskRequest } from './upstream.ts'
import { videoUpstream, workOfFrames } from './video-upstream.ts'
import { doneWith, videoUpdate, refusedVideo, stateIn, videoReply } from './video-reply.ts'
import { linesOf, shapeOf } from './video-size.ts'

const STATES = {
  submitted: 'SUBMITTED',
  processing: 'IN_PROGRESS',
  succeed: 'SUCCESS',
  failed: 'FAILURE',
} as const

/** Kling video generation. https://app.klingai.com/global/dev/document-api */
export const klingUpstream = videoUpstream({
  make: ({ work }) => ofItsMode(work),
  headers: (key, nowMs) => {
    const pair = readKlingKey(key)
    return { authorization: `Bearer ${pair === undefined ? key : klingJwt(pair, nowMs)}` }
  },
  submit: (ask, place) => ({
    method: 'POST',
    path: pathOf(ask.action, place),
    body: written(ask, place.model),
  }),
  readReply: (ask, answer) => {
    const { body } = answer
    // Errors may come with status 200, too.
    if (body?.['code'] !== 0) return refusedVideo(ask, answer)
    return videoReply(ask, answer, recordAt(body, 'data')?.['task_id'])
  },
  poll: pollOf,
  isGone: ({ code }) => code === UNKNOWN_TASK,
  readUpdate,
})

const UNKNOWN_TASK = 1203

function pathOf(action: string, { key }: ChannelTarget): string {
  const kind = action === 'TEXT2VIDEO' ? 'text2video' : 'image2video'
  // A key of one part belongs to another gateway, which serves Kling's API below `/kling`.
  return `${readKlingKey(key) === undefined ? '/kling' : ''}/v1/videos/${kind}`
}

function pollOf([task]: readonly PolledTask[], place: ChannelTarget): TaskRequest {
  const path = `${pathOf(task?.action ?? '', place)}/${encodeURIComponent(task?.taskId ?? '')}`
  return { method: 'GET', path }
}

function written(ask: TaskAsk, model: string): JsonObject {
  const { images, seconds, size, mode = 'std', sound, extras } = workOfFrames(ask)
  const [image, tail] = images.map(bare)
  const { ratio } = shapeOf(size)
  return {
    prompt: ask.prompt,
    ...(image !== undefined && { image }),
    ...(tail !== undefined && { image_tail: tail }),
    ...(ratio !== undefined && { aspect_ratio: ratio }),
    ...extras,
    model_name: model,
    model,
    mode,
    ...(seconds !== undefined && { duration: String(seconds) }),
    ...(sound !== undefined && { sound: sound ? 'on' : 'off' }),
  }
}

const LINES_OF_MODE: ReadonlyMap<string, number> = new Map([
  ['std', 720],
  ['pro', 1080],
  ['4k', 2160],
])

/**
 * Kling has no resolution parameter; `mode` determines it. If only a resolution was requested, the matching
 * mode is chosen.
 */
function ofItsMode(work: VideoWork): VideoWork {
  const reported = linesOf(work)
  if (reported === undefined && work.mode === undefined) return work
  const lines = Number.parseInt(reported ?? '0', 10)
  const mode = work.mode ?? (lines > 1080 ? '4k' : lines > 720 ? 'pro' : 'std')
  const made = LINES_OF_MODE.get(mode.toLowerCase())
  if (made !== undefined && lines > made)
    throw problem('member_invalid', { param: work.resolution === undefined ? 'size' : 'resolution' })
  return { ...work, mode, resolution: made === undefined ? work.resolution : `${made}p` }
}

/** The vendor accepts URLs and bare base64, so the prefix of a data URL is removed. */
function bare(image: string): string {
  return image.replace(/^data:[^,]*;base64,/i, '')
}

function readUpdate(taskId: string, body: JsonObject) {
  const data = recordAt(body, 'data')
  if (body['code'] !== 0 || data === undefined) return undefined
  const result = recordAt(data, 'task_result')
  const url = result && textAt(recordsAt(result, 'videos')[0] ?? {}, 'url')
  return videoUpdate({
    taskId,
    status: doneWith(stateIn(STATES, data, 'task_status'), url),
    failReason: textAt(data, 'task_status_msg') ?? '',
    url,
    data: result,
  })
}
