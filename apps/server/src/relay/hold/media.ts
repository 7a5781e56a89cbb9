import type { Bucket } from '@tollgate/billing/buckets'
import type { Ask } from '@tollgate/dialects/dialect'
import { isRecord, recordsAt, type JsonObject } from '@tollgate/dialects/json'

/**
 * The buckets beside text that a request lets the upstream fill: by the media in its messages, and by the kinds of answer
 * it asks for. They cost many times as much as text, so a ceiling without them would give them away.
 */
export function mediaBuckets({ body }: Ask): readonly Bucket[] {
  const found = new Set<Bucket>()
  for (const message of recordsAt(body, 'messages')) noteMessage(message, found)
  const wanted = body['modalities']
  if (isRecord(body['audio']) || asksFor(wanted, 'audio')) found.add('outputAudio')
  if (asksFor(wanted, 'image')) found.add('outputImage')
  return [...found]
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

function noteMessage(message: JsonObject, found: Set<Bucket>): void {
  // An earlier spoken answer comes back by its id alone, and is heard again.
  if (isRecord(message['audio'])) found.add('inputAudio')
  for (const part of recordsAt(message, 'content')) {
    const bucket = bucketOfPart.get(part['type'])
    if (bucket !== undefined) found.add(bucket)
  }
}

function asksFor(modalities: unknown, kind: string): boolean {
  return Array.isArray(modalities) && modalities.includes(kind)
}
