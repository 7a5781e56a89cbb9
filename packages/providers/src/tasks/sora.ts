import { recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import type { FormPart } from '@tollgate/dialects/media/form'
import { problem } from '@tollgate/problems/problem'
import { progressOf, type TaskAsk } from './task.ts'
import { videoOf, type TaskTarget, type TaskRequest } from './upstream.ts'
import { videoUpstream } from './video-upstream.ts'
import { videoUpdate, stateIn, videoReply } from './video-reply.ts'

/** The upstream may take a while to read an input image. */
const SUBMIT_MS = 120_000
const STATES = {
  queued: 'QUEUED',
  pending: 'QUEUED',
  in_progress: 'IN_PROGRESS',
  processing: 'IN_PROGRESS',
  completed: 'SUCCESS',
  failed: 'FAILURE',
  cancelled: 'FAILURE',
} as const

/** OpenAI video generation. https://platform.openai.com/docs/api-reference/videos */
export const soraUpstream = videoUpstream({
  submitMs: SUBMIT_MS,
  secondsDefault: 4,
  submit: (ask, place) => (videoOf(ask).remixOf === undefined ? created(ask, place) : remixed(ask, place)),
  readReply: (ask, answer) => videoReply(ask, answer, answer.body?.['id']),
  pollPath: (id) => `/v1/videos/${id}`,
  readUpdate,
  content: (taskId) => ({
    request: { method: 'GET', path: `/v1/videos/${encodeURIComponent(taskId)}/content` },
  }),
})

function remixed({ prompt }: TaskAsk, { originId = '' }: TaskTarget): TaskRequest {
  return { method: 'POST', path: `/v1/videos/${encodeURIComponent(originId)}/remix`, body: { prompt } }
}

function created(ask: TaskAsk, { model }: TaskTarget): TaskRequest {
  const { images, seconds, size, resolution, sound, tier, extras } = videoOf(ask)
  const [image, ...more] = images
  if (more.length > 0) throw problem('member_too_long', { param: 'images', max: 1 })
  const file = image === undefined ? undefined : fileOf(image)
  const isAddress = image !== undefined && file === undefined
  const body: JsonObject = {
    ...extras,
    model,
    prompt: ask.prompt,
    ...(seconds !== undefined && { seconds: String(seconds) }),
    ...(size !== undefined && { size }),
    ...(resolution !== undefined && { resolution }),
    // These members are for other gateways; OpenAI itself refuses unknown members.
    ...(sound !== undefined && { audio: sound }),
    ...(tier !== undefined && (tier === 'off-peak' ? { off_peak: true } : { service_tier: tier })),
    ...(isAddress && { input_reference: { image_url: image } }),
  }
  return { method: 'POST', path: '/v1/videos', body, ...(file && { files: [file] }) }
}

/** An image inside the request (a data URL) is sent as a file. */
function fileOf(image: string): FormPart | undefined {
  const [, type, base64] = /^data:([\w.+-]+\/[\w.+-]+);base64,(.+)$/s.exec(image) ?? []
  if (type === undefined || base64 === undefined) return undefined
  const fileName = `reference.${type.split('/')[1] ?? 'png'}`
  return { name: 'input_reference', fileName, type, content: Buffer.from(base64, 'base64') }
}

function readUpdate(taskId: string, body: JsonObject) {
  return videoUpdate({
    taskId,
    status: stateIn(STATES, body, 'status'),
    progress: progressOf(body['progress']),
    failReason: textAt(recordAt(body, 'error') ?? {}, 'message') ?? '',
  })
}
