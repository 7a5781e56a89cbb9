import { isRecord, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import type { TaskAsk } from './platform.ts'
import { videoOf, type TaskUpstream } from './upstream.ts'
import { doneWith, videoUpdate, stateIn, videoReply } from './video-reply.ts'
import { offPeakOf } from './video-quality.ts'
import { shapeOfBoth } from './video-size.ts'

const MINUTE_MS = 60_000
const RESOLUTION = '1080p'
const STATES = {
  created: 'SUBMITTED',
  queueing: 'QUEUED',
  processing: 'IN_PROGRESS',
  success: 'SUCCESS',
  failed: 'FAILURE',
} as const

/** Vidu video generation. https://platform.vidu.com/docs */
export const viduUpstream: TaskUpstream = {
  platform: 'video',
  submitMs: MINUTE_MS,
  idsPerPoll: 1,
  secondsDefault: 5,
  resolutionDefault: RESOLUTION,
  headers: (key) => ({ authorization: `Token ${key}` }),
  submit: (ask, { model }) => ({
    method: 'POST',
    path: `/ent/v2/${KINDS[videoOf(ask).images.length] ?? 'reference2video'}`,
    body: written(ask, model),
  }),
  readReply: (ask, answer) => videoReply(ask, answer, answer.body?.['task_id']),
  poll: ([task]) => ({
    method: 'GET',
    path: `/ent/v2/tasks/${encodeURIComponent(task?.taskId ?? '')}/creations`,
  }),
  readPoll: ({ status, body }, [asked]) => {
    if (asked === undefined || !isRecord(body)) return undefined
    if (status === 404) return []
    return status === 200 ? [updateOf(asked.taskId, body)] : undefined
  },
}

/** The endpoints, indexed by the number of input images; more than two images are references. */
const KINDS = ['text2video', 'img2video', 'start-end2video'] as const

function written(ask: TaskAsk, model: string): JsonObject {
  const { images, seconds, sound, extras, remixOf } = videoOf(ask)
  if (remixOf !== undefined) throw problem('video_remix_unsupported')
  const { ratio, resolution } = shapeOfBoth(videoOf(ask))
  const isOffPeak = offPeakOf(videoOf(ask))
  return {
    prompt: ask.prompt,
    resolution: resolution ?? RESOLUTION,
    movement_amplitude: 'auto',
    ...(images.length > 0 && { images }),
    ...(ratio !== undefined && { aspect_ratio: ratio }),
    ...extras,
    model,
    ...(seconds !== undefined && { duration: seconds }),
    ...(sound !== undefined && { audio: sound }),
    ...(isOffPeak !== undefined && { off_peak: isOffPeak }),
  }
}

function updateOf(taskId: string, body: JsonObject) {
  const [creation] = recordsAt(body, 'creations')
  const url = creation && textAt(creation, 'url')
  return videoUpdate({
    taskId,
    status: doneWith(stateIn(STATES, body, 'state'), url),
    failReason: textAt(body, 'err_code') ?? '',
    url,
    data: creation,
  })
}
