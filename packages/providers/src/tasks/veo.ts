import { recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import type { TaskAsk } from './task.ts'
import { videoUpstream, workOfFrames } from './video-upstream.ts'
import { videoUpdate, videoReply } from './video-reply.ts'
import { shapeOfBoth } from './video-size.ts'

const VERSION = '/v1beta'

/** Google Veo with an API key. https://ai.google.dev/gemini-api/docs/video */
export const veoUpstream = videoUpstream({
  secondsDefault: 8,
  headers: (key) => ({ 'x-goog-api-key': key }),
  submit: (ask, { model }) => ({
    method: 'POST',
    path: `${VERSION}/models/${encodeURIComponent(model)}:predictLongRunning`,
    body: veoBody(ask),
  }),
  readReply: (ask, answer) => {
    const name = textAt(answer.body ?? {}, 'name') ?? ''
    return videoReply(ask, answer, OPERATION.test(name) ? name : undefined)
  },
  poll: ([task]) => ({ method: 'GET', path: `${VERSION}/${task?.taskId ?? ''}` }),
  readUpdate,
  content: (_taskId, detail) => {
    const path = textAt(detail, 'video_path')
    return path === undefined ? undefined : { request: { method: 'GET', path } }
  },
})

const OPERATION = /^(?:models\/[\w.-]+\/)?operations\/[\w.-]+$/

/**
 * Members that clients must not set: `instances` and `parameters` could override the members below, the
 * counts and lengths determine the price, and the storage location is the operator's.
 */
const DECIDED = new Set(['instances', 'parameters', 'sampleCount', 'durationSeconds', 'storageUri'])

/** Always requests a single video (`sampleCount: 1`), because each one is charged. */
export function veoBody(ask: TaskAsk): JsonObject {
  const work = workOfFrames(ask)
  const { images, seconds, sound, extras } = work
  const [image, lastFrame] = images.map(pictureOf)
  const { ratio, resolution } = shapeOfBoth(work)
  const others = Object.fromEntries(Object.entries(extras).filter(([name]) => !DECIDED.has(name)))
  return {
    instances: [
      {
        prompt: ask.prompt,
        ...(image !== undefined && { image }),
        ...(lastFrame !== undefined && { lastFrame }),
      },
    ],
    parameters: {
      ...(ratio !== undefined && { aspectRatio: ratio }),
      ...others,
      ...(resolution !== undefined && { resolution: resolution === '2160p' ? '4k' : resolution }),
      sampleCount: 1,
      ...(seconds !== undefined && { durationSeconds: seconds }),
      ...(sound !== undefined && { generateAudio: sound }),
    },
  }
}

/** The vendor fetches no URLs, so images must be inside the request. */
function pictureOf(image: string): JsonObject {
  const [, mimeType, bytesBase64Encoded] = /^data:([\w.+-]+\/[\w.+-]+);base64,(.+)$/s.exec(image) ?? []
  if (mimeType === undefined) throw problem('member_invalid', { param: 'image' })
  return { bytesBase64Encoded, mimeType }
}

function readUpdate(taskId: string, body: JsonObject) {
  if (body['done'] !== true) return videoUpdate({ taskId, status: 'IN_PROGRESS' })
  const answer = recordAt(recordAt(body, 'response') ?? {}, 'generateVideoResponse') ?? {}
  const path = pathOf(textAt(recordAt(recordsAt(answer, 'generatedVideos')[0] ?? {}, 'video') ?? {}, 'uri'))
  if (path === undefined)
    return videoUpdate({ taskId, status: 'FAILURE', failReason: veoReason(body, answer) })
  const update = videoUpdate({ taskId, status: 'SUCCESS' })
  return { ...update, detail: { ...update.detail, video_path: path } }
}

/**
 * Keeps only the path of the URL. The key is sent to the channel's own base URL, even if the vendor reports
 * another host.
 */
function pathOf(uri: string | undefined): string | undefined {
  const url = uri === undefined ? null : URL.parse(uri)
  const isFile = url !== null && /^\/v1(?:beta)?\/files\/[\w-]{1,128}:download$/.test(url.pathname)
  return isFile ? `${url.pathname}?alt=media` : undefined
}

/** The reason why no video was made: an error, or the message of the vendor's content filter. */
export function veoReason(body: JsonObject, answer: JsonObject): string {
  const reported = textAt(recordAt(body, 'error') ?? {}, 'message')
  const reasons = answer['raiMediaFilteredReasons']
  const [filtered] = Array.isArray(reasons) ? reasons : []
  return reported ?? (typeof filtered === 'string' ? filtered : 'nothing was made')
}
