import { recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { segment } from '../define/url.ts'
import type { ChannelTarget, TaskContent, TaskRequest } from '../tasks/upstream.ts'
import { veoBody, veoReason } from '../tasks/veo.ts'
import { videoUpstream } from '../tasks/video-upstream.ts'
import { acceptedVideo, videoUpdate, refusedVideo } from '../tasks/video-reply.ts'
import { hostIn, isApiKey, projectOf, regionFor, scopeIn } from './place.ts'

/** A long video in high resolution comes as base64 inside the response. */
const ANSWER_BYTES_MAX = 128 * 1024 * 1024

/**
 * Veo on Vertex AI.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation. The name of an
 * operation contains its region, so a channel may move to another region while tasks are running.
 */
export const vertexVeo = videoUpstream({
  secondsDefault: 8,
  pollBytesMax: ANSWER_BYTES_MAX,
  headers: (key, _nowMs, accessToken = ''): Record<string, string> =>
    isApiKey(key)
      ? { 'x-goog-api-key': key }
      : { authorization: `Bearer ${accessToken}`, 'x-goog-user-project': projectOf(key) },
  submit: (ask, place) =>
    requestAt(place, {
      region: regionFor([ask.model, place.model], place.other),
      model: place.model,
      action: 'predictLongRunning',
      body: veoBody(ask),
    }),
  readReply: (ask, answer) => {
    const name = textAt(answer.body ?? {}, 'name') ?? ''
    const isTaken = answer.status < 300 && OPERATION.test(name)
    return isTaken ? acceptedVideo(ask, name) : refusedVideo(ask, answer)
  },
  poll: ([task], place) => questionAfter(task?.taskId ?? '', place),
  readUpdate,
  content: contentOf,
})

const OPERATION =
  /^projects\/[\w.:-]{1,100}\/locations\/([a-z0-9-]{1,40})\/publishers\/google\/models\/([\w.@-]{1,100})\/operations\/[\w-]{1,100}$/

interface Asked {
  readonly region: string
  readonly model: string
  readonly action: string
  readonly body: JsonObject
}

function requestAt({ baseUrl, key }: ChannelTarget, { region, model, action, body }: Asked): TaskRequest {
  const place = { baseUrl, key, region }
  const path = `/v1/${scopeIn(place)}publishers/google/models/${segment(model)}:${action}`
  return { method: 'POST', baseUrl: hostIn(place), path, body }
}

/** Uses only the region and the model of an operation name; the project is that of the key. */
function questionAfter(name: string, place: ChannelTarget): TaskRequest {
  const [, region = 'global', model = ''] = OPERATION.exec(name) ?? []
  return requestAt(place, { region, model, action: 'fetchPredictOperation', body: { operationName: name } })
}

function readUpdate(taskId: string, body: JsonObject) {
  if (body['done'] !== true) return videoUpdate({ taskId, status: 'IN_PROGRESS' })
  const answer = recordAt(body, 'response') ?? {}
  const [video = {}] = recordsAt(answer, 'videos')
  const uri = textAt(video, 'gcsUri')
  const mediaType = textAt(video, 'mimeType') ?? 'video/mp4'
  if (uri === undefined && textAt(video, BYTES) === undefined)
    return videoUpdate({ taskId, status: 'FAILURE', failReason: veoReason(body, answer) })
  const update = videoUpdate({ taskId, status: 'SUCCESS' })
  return {
    ...update,
    detail: { ...update.detail, media_type: mediaType, ...(uri !== undefined && { gcs_uri: uri }) },
  }
}

const BYTES = 'bytesBase64Encoded'
const STORAGE_URL = 'https://storage.googleapis.com'

/** The video is in the operator's storage bucket, or in the poll response, which is then requested again. */
function contentOf(taskId: string, detail: JsonObject, place: ChannelTarget): TaskContent | undefined {
  const mediaType = textAt(detail, 'media_type') ?? 'video/mp4'
  const uri = textAt(detail, 'gcs_uri')
  if (uri === undefined) return { request: questionAfter(taskId, place), base64In: BYTES, mediaType }
  const [, bucket, name] = /^gs:\/\/([a-z0-9][\w.-]{1,221})\/(.+)$/s.exec(uri) ?? []
  if (bucket === undefined || name === undefined) return undefined
  const path = `/storage/v1/b/${bucket}/o/${segment(name)}?alt=media`
  return { request: { method: 'GET', baseUrl: STORAGE_URL, path }, mediaType }
}
