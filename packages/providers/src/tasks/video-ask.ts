import { isRecord, recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { omitUndefined } from '@tollgate/dialects/canonical/omit-undefined'
import { parseText } from '@tollgate/dialects/json-limits'
import { problem } from '@tollgate/problems/problem'
import { names } from '../define/define-provider.ts'
import type { TaskAsk, VideoWork } from './task.ts'
import { listLengths, withoutQuantities } from './video-quantities.ts'
import { QUALITY_MEMBERS, qualityOf } from './video-quality.ts'
import { isResolution, isSize, linesOf } from './video-size.ts'

const MODEL_CHARACTERS_MAX = 256
const MODE_CHARACTERS_MAX = 32
const IMAGES_MAX = 16
/** No vendor makes longer videos; a larger number would only produce an unintended price. */
const SECONDS_MAX = 60

/** Parses a video submission for any vendor. Throws a Problem for the first invalid member. */
export function readVideoAsk(body: JsonObject): TaskAsk {
  const model = textAt(body, 'model')
  if (model === undefined) throw problem('model_required', { param: 'model' })
  if (model.length > MODEL_CHARACTERS_MAX) throw problem('member_invalid', { param: 'model' })
  const metadata = metadataOf(body['metadata'])
  const images = imagesOf(body)
  const prompt = textAt(body, 'prompt') ?? ''
  if (prompt === '' && images.length === 0) throw problem('prompt_is_required')
  return {
    action: actionOf(images),
    model,
    prompt,
    work: {
      type: 'video',
      images,
      seconds: secondsOf(body, metadata),
      ...sizesOf(body, metadata),
      mode: modeOf(body['mode'] ?? metadata['mode']),
      ...qualityOf(body, metadata),
      extras: extrasOf(metadata),
      remixOf: undefined,
    },
  }
}

/** Parses a remix submission. Everything except the prompt is taken over from the original video. */
export function readRemixAsk(taskId: string, body: JsonObject): TaskAsk {
  const prompt = textAt(body, 'prompt')
  if (prompt === undefined) throw problem('prompt_is_required')
  const work = { ...NOTHING_TOLD, remixOf: taskId }
  return { action: 'REMIX', model: '', prompt, work, origin: { taskId, mustHaveSucceeded: true } }
}

const NOTHING_TOLD: VideoWork = {
  type: 'video',
  images: [],
  seconds: undefined,
  size: undefined,
  resolution: undefined,
  mode: undefined,
  sound: undefined,
  tier: undefined,
  extras: {},
  remixOf: undefined,
}

export function actionOf(images: readonly string[]): string {
  return images.length === 0 ? 'TEXT2VIDEO' : 'IMAGE2VIDEO'
}

/** `metadata` may be an object, or a JSON text in a form field. */
function metadataOf(value: unknown): JsonObject {
  if (value === undefined || value === null || value === '') return {}
  const reported = typeof value === 'string' ? parseText(value) : value
  if (!isRecord(reported)) throw problem('member_invalid', { param: 'metadata' })
  return reported
}

/**
 * `image`, `images` and `input_reference` have the same meaning: each is a text, an object with a URL, or a
 * list of these.
 */
function imagesOf(body: JsonObject): readonly string[] {
  const reported = [
    ...pictures(body['image'], 'image'),
    ...pictures(body['images'], 'images'),
    ...pictures(body['image[]'], 'image'),
    ...pictures(body['input_reference'], 'input_reference'),
    ...pictures(body['input_reference[image_url]'], 'input_reference'),
  ]
  if (reported.length > IMAGES_MAX) throw problem('member_too_long', { param: 'images', max: IMAGES_MAX })
  return reported
}

function pictures(value: unknown, param: string): readonly string[] {
  if (value === undefined || value === null || value === '') return []
  if (Array.isArray(value)) return value.flatMap((each) => pictures(each, param))
  if (typeof value === 'string') return [value]
  const url = isRecord(value) ? (textAt(value, 'image_url') ?? textAt(value, 'url')) : undefined
  if (url === undefined) throw problem('member_invalid', { param })
  return [url]
}

/**
 * Unlike new-api: the length, by which the price is multiplied, must be a whole number within bounds,
 * whichever member sets it.
 */
function secondsOf(body: JsonObject, metadata: JsonObject): number | undefined {
  if (metadata['frames'] !== undefined) throw problem('member_invalid', { param: 'metadata.frames' })
  const named = [body['seconds'], body['duration'], metadata['seconds'], metadata['duration']]
  const lengths = [...named, ...listLengths(metadata)]
  const value = lengths.find((each) => each !== undefined && each !== null && each !== '')
  if (value === undefined) return undefined
  const seconds = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 1 || seconds > SECONDS_MAX)
    throw problem('member_out_of_range', { param: 'seconds', min: 1, max: SECONDS_MAX })
  return seconds
}

function sizeOf(body: JsonObject, metadata: JsonObject): string | undefined {
  const value = body['size'] ?? metadata['size']
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string' || !isSize(value)) throw problem('member_invalid', { param: 'size' })
  return value
}

/**
 * Unlike new-api: a resolution that is set beside the size must agree with it, because it is part of the
 * price.
 */
function sizesOf(body: JsonObject, metadata: JsonObject): Pick<VideoWork, 'size' | 'resolution'> {
  const size = sizeOf(body, metadata)
  const resolution = resolutionOf(body, metadata)
  if (size === undefined || resolution === undefined) return { size, resolution }
  const lines = linesOf({ size, resolution: undefined })
  if (lines !== undefined && lines !== linesOf({ size: undefined, resolution }))
    throw problem('video_sizes_differ', { size, resolution })
  return { size, resolution }
}

function resolutionOf(body: JsonObject, metadata: JsonObject): string | undefined {
  const value = body['resolution'] ?? metadata['resolution']
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string' || !isResolution(value))
    throw problem('member_invalid', { param: 'resolution' })
  return value
}

function modeOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string' || value.length > MODE_CHARACTERS_MAX)
    throw problem('member_invalid', { param: 'mode' })
  return value
}

/**
 * Members that determine the price or the callback URL. They cannot be passed to the vendor through
 * `metadata`.
 */
const DECIDED = new Set([
  ...names('model model_name prompt seconds duration frames size resolution n mode callback_url'),
  ...QUALITY_MEMBERS,
])

function extrasOf(metadata: JsonObject): JsonObject {
  return withoutQuantities(
    Object.fromEntries(Object.entries(metadata).filter(([name]) => !DECIDED.has(name))),
  )
}

/** The properties of a video that are stored with its task, so that a follow-up can take them over. */
export function storedProperties({ model, work }: TaskAsk): JsonObject {
  if (work.type !== 'video') return {}
  const { seconds, size, resolution, mode, sound, tier, remixOf } = work
  return omitUndefined({ model, seconds, size, resolution, mode, sound, tier, remix_of: remixOf })
}

/** Restores the stored properties of the original video into a follow-up. */
export function restoreProperties(ask: TaskAsk, detail: JsonObject): TaskAsk {
  const model = textAt(detail, 'model')
  if (model === undefined || ask.work.type !== 'video') throw problem('task_not_found')
  const seconds = typeof detail['seconds'] === 'number' ? detail['seconds'] : undefined
  const sound = typeof detail['sound'] === 'boolean' ? detail['sound'] : undefined
  const names = ['size', 'resolution', 'mode', 'tier']
  const [size, resolution, mode, tier] = names.map((name) => textAt(detail, name))
  return { ...ask, model, work: { ...ask.work, seconds, size, resolution, mode, sound, tier } }
}

/**
 * Converts a submission in Kling's own format to the common one.
 * https://app.klingai.com/global/dev/document-api
 */
export function fromKling(body: JsonObject, verb: string): JsonObject {
  const { model_name: name, model, prompt, image, image_tail: tail, duration, mode, ...rest } = body
  if (verb === 'image2video' && (image === undefined || image === ''))
    throw problem('member_missing', { param: 'image' })
  const images = [image, tail].filter((each) => each !== undefined && each !== '')
  return {
    model: name ?? model ?? 'kling-v1',
    prompt,
    images,
    duration,
    mode,
    metadata: { ...rest, ...recordAt(body, 'metadata') },
  }
}
