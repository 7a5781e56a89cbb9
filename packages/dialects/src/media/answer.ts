import { bodyWithoutVendorCost } from '../cost/vendor-cost.ts'
import { mediaTypeOf } from '../canonical/media-type.ts'
import type { Finish, Reading, UsageReader } from '../dialect.ts'
import { parseObject, type JsonObject } from '../json.ts'
import { badBody, errorInside, errorOf, type ErrorInside } from '../errors/upstream-error.ts'
import { failed, type ChatAnswer } from '../openai/answer.ts'
import type { Usage } from '../usage.ts'
import { isImageOperation, isTranscript, type MediaOperation } from './operation.ts'

export interface MediaAnswerInput {
  readonly operation: MediaOperation
  readonly bytes: Buffer
  /** Whether the caller requested the transcript as plain text or as subtitles. */
  readonly isPlainText?: boolean
  /** Number of images requested; further ones are not delivered. */
  readonly choices?: number
  readonly readUsage: UsageReader
  readonly errorInside?: ErrorInside
  readonly adjustAnswer?: (answer: Record<string, unknown>) => Record<string, unknown>
  /** Extracts the audio, for vendors that wrap speech in JSON. */
  readonly extractAudio?: AudioExtractor
  /** Creation time of images in seconds, for vendors that do not report it. */
  readonly nowSeconds?: number
}

/** Returns the audio in a response with its media type; `undefined` if there is none. */
export type AudioExtractor = (
  answer: Readonly<Record<string, unknown>>,
) => { readonly bytes: Buffer; readonly type: string } | undefined

const PLAIN_TYPE = 'text/plain; charset=utf-8'

/** Reads a whole response with a 2xx status: images, speech or a transcript. Never throws. */
export function readMediaAnswer(input: MediaAnswerInput): ChatAnswer {
  const { operation, bytes, isPlainText = false } = input
  const reported = parseObject(bytes)
  if (isPlainText && isTranscript(operation) && reported === undefined)
    return { bytes, type: PLAIN_TYPE, reading: complete(undefined) }
  const parsed = reported ?? (isImageOperation(operation) ? pictureOf(bytes) : undefined)
  if (parsed === undefined)
    return failed(bytes, badBody(bytes.length === 0 ? 'empty_response' : 'bad_response_body'))
  const error = errorOf(parsed, input.errorInside)
  if (error !== undefined) return failed(bytes, error)
  const sound = operation === 'speech' ? input.extractAudio?.(parsed) : undefined
  if (sound !== undefined) return { ...sound, reading: complete(input.readUsage(parsed)) }
  const adjusted = input.adjustAnswer === undefined ? parsed : input.adjustAnswer(parsed)
  const answer = isImageOperation(operation) ? withRequested(adjusted, input.choices) : adjusted
  const refusal = answer === parsed ? undefined : errorInside(answer)
  if (refusal !== undefined) return failed(bytes, refusal)
  if (!isKnownShape(answer, operation)) return failed(bytes, badBody('bad_response_body'))
  const reading = complete(input.readUsage(answer))
  if (answer === reported) return { bytes: bodyWithoutVendorCost(bytes, answer), reading }
  if (isPlainText && typeof answer['text'] === 'string')
    return { bytes: Buffer.from(answer['text']), type: PLAIN_TYPE, reading }
  const written = Buffer.from(JSON.stringify(dated(answer, input)))
  return { bytes: bodyWithoutVendorCost(written, answer), reading }
}

/** What was not asked for is not paid, so it is not delivered either. */
function withRequested(answer: JsonObject, choices: number | undefined): JsonObject {
  const { data } = answer
  if (choices === undefined || !Array.isArray(data) || data.length <= choices) return answer
  return { ...answer, data: data.slice(0, choices) }
}

function dated(answer: JsonObject, { nowSeconds }: MediaAnswerInput): JsonObject {
  return answer['created'] === 0 && nowSeconds !== undefined ? { ...answer, created: nowSeconds } : answer
}

/** Some vendors respond with the bytes of the image itself. */
function pictureOf(bytes: Buffer): JsonObject | undefined {
  if (mediaTypeOf(bytes)?.startsWith('image/') !== true) return undefined
  return { created: 0, data: [{ b64_json: bytes.toString('base64') }] }
}

/**
 * JSON is not valid speech unless audio was extracted from it, and an empty list is not a valid image
 * response.
 */
function isKnownShape(answer: JsonObject, operation: MediaOperation): boolean {
  if (isTranscript(operation)) return typeof answer['text'] === 'string'
  return isImageOperation(operation) && Array.isArray(answer['data']) && answer['data'].length > 0
}

const STOP: Finish = { reason: 'stop', raw: 'stop' }

function complete(usage: Usage | undefined): Reading {
  return { usage, finish: STOP, outputTokensCounted: 0, hasOutput: true, isComplete: true, error: undefined }
}
