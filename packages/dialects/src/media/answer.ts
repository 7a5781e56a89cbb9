import { mediaTypeOf } from '../canonical/media-type.ts'
import type { Finish, Reading, UpstreamError, UsageReader } from '../dialect.ts'
import { parseObject, type JsonObject } from '../json.ts'
import { badBody, errorInside, insideError } from '../openai/upstream-error.ts'
import type { Answer } from '../openai/answer.ts'
import type { Usage } from '../usage.ts'
import { isImageOperation, isTranscript, type MediaOperation } from './operation.ts'

export interface MediaAnswerInput {
  readonly operation: MediaOperation
  readonly bytes: Buffer
  /** The caller asked for a transcript as bare text or as subtitles. */
  readonly isPlainText?: boolean
  readonly readUsage: UsageReader
  readonly errorInside?: (answer: Readonly<Record<string, unknown>>) => string | undefined
  readonly adjustAnswer?: (answer: Record<string, unknown>) => Record<string, unknown>
  /** Speech that a vendor wraps in JSON. */
  readonly readSound?: SoundOfAnswer
  /** When the pictures of a vendor who does not say it were made, in seconds. */
  readonly nowSeconds?: number
}

/** The sound in an answer, with its media type; `undefined` when there is none. */
export type SoundOfAnswer = (
  answer: Readonly<Record<string, unknown>>,
) => { readonly bytes: Buffer; readonly type: string } | undefined

const PLAIN_TYPE = 'text/plain; charset=utf-8'

/** Reads a whole answer that came with a 2xx status: pictures, or what was said. Never throws. */
export function readMediaAnswer(input: MediaAnswerInput): Answer {
  const { operation, bytes, isPlainText = false } = input
  const told = parseObject(bytes)
  if (isPlainText && isTranscript(operation) && told === undefined)
    return { bytes, type: PLAIN_TYPE, reading: complete(undefined) }
  const parsed = told ?? (isImageOperation(operation) ? pictureOf(bytes) : undefined)
  if (parsed === undefined)
    return failed(bytes, badBody(bytes.length === 0 ? 'empty_response' : 'bad_response_body'))
  const error = errorIn(parsed, input)
  if (error !== undefined) return failed(bytes, error)
  const sound = operation === 'speech' ? input.readSound?.(parsed) : undefined
  if (sound !== undefined) return { ...sound, reading: complete(input.readUsage(parsed)) }
  const answer = input.adjustAnswer === undefined ? parsed : input.adjustAnswer(parsed)
  const refusal = answer === parsed ? undefined : errorInside(answer)
  if (refusal !== undefined) return failed(bytes, refusal)
  if (!isKnownShape(answer, operation)) return failed(bytes, badBody('bad_response_body'))
  const reading = complete(input.readUsage(answer))
  if (answer === told) return { bytes, reading }
  if (isPlainText && typeof answer['text'] === 'string')
    return { bytes: Buffer.from(answer['text']), type: PLAIN_TYPE, reading }
  return { bytes: Buffer.from(JSON.stringify(dated(answer, input))), reading }
}

function dated(answer: JsonObject, { nowSeconds }: MediaAnswerInput): JsonObject {
  return answer['created'] === 0 && nowSeconds !== undefined ? { ...answer, created: nowSeconds } : answer
}

/** Some vendors answer with the very picture. */
function pictureOf(bytes: Buffer): JsonObject | undefined {
  if (mediaTypeOf(bytes)?.startsWith('image/') !== true) return undefined
  return { created: 0, data: [{ b64_json: bytes.toString('base64') }] }
}

function errorIn(answer: JsonObject, input: MediaAnswerInput): UpstreamError | undefined {
  const words = input.errorInside?.(answer)
  return words === undefined ? errorInside(answer) : insideError(words)
}

/** Sound that nobody unwrapped is none; an empty list is no picture. */
function isKnownShape(answer: JsonObject, operation: MediaOperation): boolean {
  if (isTranscript(operation)) return typeof answer['text'] === 'string'
  return isImageOperation(operation) && Array.isArray(answer['data']) && answer['data'].length > 0
}

const STOP: Finish = { reason: 'stop', raw: 'stop' }

function complete(usage: Usage | undefined): Reading {
  return { usage, finish: STOP, outputTokensCounted: 0, hasOutput: true, isComplete: true, error: undefined }
}

function failed(bytes: Buffer, error: UpstreamError): Answer {
  return {
    bytes,
    reading: { ...complete(undefined), finish: undefined, hasOutput: false, isComplete: false, error },
  }
}
