import { recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { names } from '../define/define-provider.ts'
import { problem } from '@tollgate/problems/problem'
import type { TaskAsk } from './task.ts'
import { bearerOf, videoOf } from './upstream.ts'
import { videoUpstream, workOfFrames } from './video-upstream.ts'
import { doneWith, videoUpdate, stateIn, videoReply } from './video-reply.ts'
import { linesOf, shapeOfBoth } from './video-size.ts'

const STATES = {
  pending: 'QUEUED',
  running: 'IN_PROGRESS',
  succeeded: 'SUCCESS',
  failed: 'FAILURE',
  canceled: 'FAILURE',
} as const

/** Alibaba Wan video generation. https://help.aliyun.com/zh/model-studio/text-to-video-api-reference */
export const wanUpstream = videoUpstream({
  headers: (key) => ({ ...bearerOf(key), 'x-dashscope-async': 'enable' }),
  submit: (ask, { model }) => ({
    method: 'POST',
    path: '/api/v1/services/aigc/video-generation/video-synthesis',
    body: written(ask, model),
  }),
  readReply: (ask, answer) => videoReply(ask, answer, recordAt(answer.body ?? {}, 'output')?.['task_id']),
  pollPath: (id) => `/api/v1/tasks/${id}`,
  // The vendor reports `UNKNOWN` for a task that it no longer has.
  isGone: (body, status) => status === 200 && recordAt(body, 'output')?.['task_status'] === 'UNKNOWN',
  readUpdate,
})

/** Members that belong into `input`; all others are `parameters`. */
const INPUTS = new Set(names('negative_prompt audio_url img_url first_frame_url last_frame_url template'))
/** Members that clients must not set, because they could override the members below. */
const PARTS = new Set(['input', 'parameters', 'media', 'shot_type'])

function written(ask: TaskAsk, model: string): JsonObject {
  const { images, seconds, sound, extras } = workOfFrames(ask)
  const reported = Object.entries(extras).filter(([name]) => !PARTS.has(name))
  const input = Object.fromEntries(reported.filter(([name]) => INPUTS.has(name)))
  const parameters = Object.fromEntries(reported.filter(([name]) => !INPUTS.has(name)))
  return {
    model,
    input: { prompt: ask.prompt, ...withMedia(input, images, model) },
    parameters: {
      prompt_extend: true,
      ...parameters,
      ...sizeOf(ask, model),
      ...(seconds !== undefined && { duration: seconds }),
      ...(sound !== undefined && { audio: sound }),
    },
  }
}

/**
 * From version 2.7 on, images and driving audio are sent as a list. Earlier versions have separate members
 * for one image and for two.
 */
function withMedia(input: JsonObject, images: readonly string[], model: string): JsonObject {
  const [first, last] = images
  if (first === undefined) return input
  if (!hasOneForm(model)) {
    const pictures =
      last === undefined ? { img_url: first } : { first_frame_url: first, last_frame_url: last }
    return { ...input, ...pictures }
  }
  const { audio_url: audio, ...others } = input
  const types = ['first_frame', 'last_frame']
  const pictures = images.map((url, at) => ({ type: types[at], url }))
  return {
    ...others,
    media: [...pictures, ...(audio === undefined ? [] : [{ type: 'driving_audio', url: audio }])],
  }
}

function hasOneForm(model: string): boolean {
  return /^wan-?2\.(?:[7-9]|\d{2})/i.test(model)
}

const SIZES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '480p': { '16:9': '832*480', '9:16': '480*832', '1:1': '624*624' },
  '720p': {
    '16:9': '1280*720',
    '9:16': '720*1280',
    '1:1': '960*960',
    '4:3': '1088*832',
    '3:4': '832*1088',
  },
  '1080p': {
    '16:9': '1920*1080',
    '9:16': '1080*1920',
    '1:1': '1440*1440',
    '4:3': '1632*1248',
    '3:4': '1248*1632',
  },
}

/**
 * A video from text has a size. A video from images has their aspect ratio, so only the resolution is sent.
 */
function sizeOf(ask: TaskAsk, model: string): JsonObject {
  const work = videoOf(ask)
  const { ratio = '16:9' } = shapeOfBoth(work)
  const lines = linesOf(work)
  if (lines === undefined) return {}
  const resolution = lines.toUpperCase()
  if (work.images.length > 0) return { resolution }
  if (hasOneForm(model)) return { resolution, ratio }
  const [, wide, high] = /^(\d+)[x*](\d+)$/i.exec(work.size ?? '') ?? []
  const exact = wide === undefined ? SIZES[lines]?.[ratio] : `${wide}*${high}`
  if (exact === undefined) throw problem('member_invalid', { param: 'size' })
  return { size: exact }
}

function readUpdate(taskId: string, body: JsonObject) {
  const output = recordAt(body, 'output')
  if (output === undefined) return undefined
  const url = textAt(output, 'video_url')
  return videoUpdate({
    taskId,
    status: doneWith(stateIn(STATES, output, 'task_status'), url),
    failReason: textAt(output, 'message') ?? textAt(output, 'code') ?? '',
    url,
  })
}
