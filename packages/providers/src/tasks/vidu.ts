import { recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import type { TaskAsk } from './task.ts'
import { videoOf } from './upstream.ts'
import { originalWork, videoUpstream } from './video-upstream.ts'
import { doneWith, videoUpdate, stateIn, videoReply } from './video-reply.ts'
import { offPeakOf } from './video-quality.ts'
import { shapeOfBoth } from './video-size.ts'

const RESOLUTION = '1080p'
const STATES = {
  created: 'SUBMITTED',
  queueing: 'QUEUED',
  processing: 'IN_PROGRESS',
  success: 'SUCCESS',
  failed: 'FAILURE',
} as const

/** Vidu video generation. https://platform.vidu.com/docs */
export const viduUpstream = videoUpstream({
  resolutionDefault: RESOLUTION,
  headers: (key) => ({ authorization: `Token ${key}` }),
  submit: (ask, { model }) => ({
    method: 'POST',
    path: `/ent/v2/${KINDS[videoOf(ask).images.length] ?? 'reference2video'}`,
    body: written(ask, model),
  }),
  readReply: (ask, answer) => videoReply(ask, answer, answer.body?.['task_id']),
  pollPath: (id) => `/ent/v2/tasks/${id}/creations`,
  readUpdate,
})

/** The endpoints, indexed by the number of input images; more than two images are references. */
const KINDS = ['text2video', 'img2video', 'start-end2video'] as const

function written(ask: TaskAsk, model: string): JsonObject {
  const work = originalWork(ask)
  const { images, seconds, sound, extras } = work
  const { ratio, resolution } = shapeOfBoth(work)
  const isOffPeak = offPeakOf(work)
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

function readUpdate(taskId: string, body: JsonObject) {
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
