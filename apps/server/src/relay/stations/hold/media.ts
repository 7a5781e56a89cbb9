import type { Bucket } from '@tollgate/billing/buckets'
import { channelsOf } from '../../../snapshots/roster.ts'
import type { Admitted } from '../admit/admitted.ts'
import { upstreamModel } from '../../upstream-model.ts'
import type { Ask } from '@tollgate/dialects/dialect'
import { isRecord, recordAt, recordsAt, type JsonObject } from '@tollgate/dialects/json'

/**
 * All price buckets besides text that a call may use: those of its operation, for media in the request, and for
 * media that it makes the upstream read or write. They cost many times as much as text, so a ceiling without them
 * would be far too low.
 */
export function mediaOf(admitted: Admitted): readonly Bucket[] {
  const { ask, operation, uncounted } = admitted
  const found = new FoundBuckets([...(operation.buckets ?? []), ...mediaBuckets(ask)])
  if (mayDraw(admitted)) found.add('outputImage')
  if (uncounted?.media.has('image')) found.add('inputImage')
  if (uncounted?.media.has('audio')) found.add('inputAudio')
  return found.buckets
}

/** Buckets that a request can cause by the media in its messages, and by the output modalities it requests. */
export function mediaBuckets({ body }: Ask): readonly Bucket[] {
  const found = new FoundBuckets()
  for (const message of recordsAt(body, 'messages')) noteMessage(message, found)
  for (const item of recordsAt(body, 'input')) noteMessage(item, found)
  for (const content of recordsAt(body, 'contents')) noteContent(content, found)
  noteContentOf(body, found)
  for (const request of recordsAt(body, 'requests')) noteContentOf(request, found)
  noteModalities(body['modalities'], found)
  const config = recordAt(body, 'generationConfig') ?? recordAt(body, 'generation_config')
  if (config !== undefined) {
    noteModalities(config['responseModalities'], found)
    noteModalities(config['response_modalities'], found)
  }
  if (isRecord(body['audio'])) found.add('outputAudio')
  return found.buckets
}

/** Each bucket once. Most requests have none, for which a set would be large. */
class FoundBuckets {
  readonly buckets: Bucket[] = []

  constructor(buckets: readonly Bucket[] = []) {
    for (const bucket of buckets) this.add(bucket)
  }

  add(bucket: Bucket): void {
    if (!this.buckets.includes(bucket)) this.buckets.push(bucket)
  }
}

/**
 * Whether the call may return images without requesting them: the operator can allow this per model, on any
 * channel that could serve the call.
 */
export function mayDraw({ ask, candidates, settings }: Admitted): boolean {
  const { drawingModels } = settings.gemini
  if (drawingModels.length === 0) return false
  return channelsOf(candidates).some((channel) => {
    if (channel.provider.endpoints.generate === undefined) return false
    const model = upstreamModel(channel, { asked: ask.model, offered: candidates.model })
    return model !== undefined && drawingModels.includes(model)
  })
}

const bucketOfPart: ReadonlyMap<unknown, Bucket> = new Map([
  ['input_audio', 'inputAudio'],
  ['audio_url', 'inputAudio'],
  ['video_url', 'inputImage'],
  ['video', 'inputImage'],
  ['image_url', 'inputImage'],
  ['input_image', 'inputImage'],
  ['image', 'inputImage'],
])

function noteMessage(message: JsonObject, found: FoundBuckets): void {
  // An earlier audio response is sent by its id alone; the model hears it again.
  if (isRecord(message['audio'])) found.add('inputAudio')
  noteParts(message, found)
  // The output of a tool call in the Responses API.
  for (const part of partsAt(message, 'output')) notePart(part, found)
}

function noteParts(holder: JsonObject, found: FoundBuckets): void {
  for (const part of partsAt(holder, 'content')) notePart(part, found)
}

/** The parts of a message: a list, or a single object. */
function partsAt(holder: JsonObject, name: string): readonly JsonObject[] {
  const one = recordAt(holder, name)
  return one === undefined ? recordsAt(holder, name) : [one]
}

function notePart(part: JsonObject, found: FoundBuckets): void {
  const bucket = bucketOfPart.get(part['type'])
  if (bucket !== undefined) found.add(bucket)
  else if (part['type'] === 'tool_result') noteParts(part, found)
}

/** Gemini content. The kind of a medium is known only from its media type, which may be missing. */
function noteContent(content: JsonObject, found: FoundBuckets): void {
  for (const part of partsAt(content, 'parts')) {
    for (const name of HOLDERS) {
      const data = recordAt(part, name)
      if (data !== undefined) found.add(bucketOfData(data))
    }
    const response = recordAt(part, 'functionResponse') ?? recordAt(part, 'function_response')
    if (response !== undefined) noteContent(response, found)
  }
}

const HOLDERS = ['inlineData', 'inline_data', 'fileData', 'file_data'] as const

function bucketOfData(data: JsonObject): Bucket {
  const type = data['mimeType'] ?? data['mime_type']
  return typeof type === 'string' && /^audio\//i.test(type) ? 'inputAudio' : 'inputImage'
}

function noteContentOf(holder: JsonObject, found: FoundBuckets): void {
  const content = recordAt(holder, 'content')
  if (content !== undefined) noteContent(content, found)
}

function noteModalities(wanted: unknown, found: FoundBuckets): void {
  if (asksFor(wanted, 'audio')) found.add('outputAudio')
  if (asksFor(wanted, 'image')) found.add('outputImage')
}

function asksFor(modalities: unknown, kind: string): boolean {
  return (
    Array.isArray(modalities) &&
    modalities.some((each) => typeof each === 'string' && each.toLowerCase() === kind)
  )
}
