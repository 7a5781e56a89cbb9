import type { Frame, ReplyReader } from '@tollgate/dialects/canonical/codec'
import type { UpstreamError } from '@tollgate/dialects/dialect'
import { isRecord, parseObject, recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { openaiUpstream } from '@tollgate/dialects/openai/chat/codec'
import { insideError, readUpstreamError } from '@tollgate/dialects/errors/upstream-error'
import { names } from '../define/define-provider.ts'
import { noFormats, oneTextAnswer, tunedBy, type VendorCodec } from '../define/vendor-codec.ts'

/**
 * Members whose content is kept unchanged: their inner names belong to the client, or they are JSON texts of
 * their own.
 */
const AS_IT_IS = new Set(['parameters', 'arguments'])
const KEPT = new Set(names('model messages stream temperature top_p seed stop tools tool_choice'))

/** The format is close to chat completions, but no client uses it, so the dialect name is removed. */
const { name: _dialect, ...asChat } = openaiUpstream

/**
 * Tencent's own chat format: chat completions with capitalised member names, an envelope around whole
 * responses, and schemas as texts. https://cloud.tencent.com/document/api/1729/105701
 */
export const hunyuanChat: VendorCodec = {
  ...asChat,
  limits: {
    ...asChat.limits,
    ...tunedBy('temperature', 'top-p', 'seed', 'stop', 'image-detail', 'strict-tools', 'speaker-names'),
    ...oneTextAnswer,
    ...noFormats,
    logprobs: { does: 'refuse', because: 'they are not returned' },
    audio: { does: 'refuse', because: 'models accept images only' },
    video: { does: 'refuse', because: 'models accept images only' },
    file: { does: 'refuse', because: 'models accept images only' },
    'tool-choice': { does: 'refuse', because: 'the model decides' },
    'web-search': { does: 'refuse', because: 'there is no such tool' },
  },
  writeRequest: (conversation, context) => {
    const body = openaiUpstream.writeRequest(conversation, context)
    const kept = Object.fromEntries(Object.entries(body).filter(([name]) => KEPT.has(name)))
    const { stop } = conversation
    const written = capitalised({ ...kept, ...(stop.length > 0 ? { stop } : {}) })
    return { ...written, Messages: recordsAt(written, 'Messages').map(withContents) }
  },
  readReply: (body, readUsage) => {
    const answer = unwrapped(body)
    const error = hunyuanError(answer)
    return error === undefined ? openaiUpstream.readReply(answer, readUsage) : { type: 'error', error }
  },
  openReader: (readUsage) => new HunyuanStreamReader(openaiUpstream.openReader(readUsage)),
  readError: (status, bytes) => {
    const inside = hunyuanError(unwrapped(parseObject(bytes) ?? {}))
    return inside === undefined ? readUpstreamError(status, bytes) : { ...inside, status }
  },
}

/** Content that is a list of parts goes into a separate member, `Contents`. */
function withContents(message: JsonObject): JsonObject {
  const { Content: content, ...rest } = message
  return Array.isArray(content) ? { ...rest, Contents: content } : message
}

/** Converts the member names to lower case and passes the frames to the chat completions reader. */
class HunyuanStreamReader implements ReplyReader {
  readonly #inner: ReplyReader
  #isOver = false

  constructor(inner: ReplyReader) {
    this.#inner = inner
  }

  push({ event, data }: Frame): ReturnType<ReplyReader['push']> {
    const body = parseObject(data)
    if (body === undefined || this.#isOver) return []
    const chunk = unwrapped(body)
    const error = hunyuanError(chunk)
    if (error !== undefined) {
      this.#isOver = true
      return [{ type: 'error', error }]
    }
    return this.#inner.push({ event, data: JSON.stringify(chunk) })
  }

  end(): ReturnType<ReplyReader['end']> {
    return this.#isOver ? [] : this.#inner.end()
  }
}

function unwrapped(body: JsonObject): JsonObject {
  return lowered(recordAt(body, 'Response') ?? body)
}

/** Errors come with status 200, and their codes are words. */
function hunyuanError(answer: JsonObject): UpstreamError | undefined {
  const error = recordAt(answer, 'error') ?? recordAt(answer, 'error_msg')
  if (error === undefined) return undefined
  const code = textAt(error, 'code') ?? 'bad_response_status_code'
  const message = textAt(error, 'message') ?? textAt(error, 'msg') ?? code
  return { ...insideError(message), code, status: statusOf(code) }
}

function statusOf(code: string): number {
  if (code.startsWith('AuthFailure')) return 401
  if (/^(?:UnauthorizedOperation|OperationDenied)/.test(code)) return 403
  if (/^(?:RequestLimitExceeded|LimitExceeded|ResourceInsufficient)/.test(code)) return 429
  return /^(?:Invalid|Missing|Unsupported|Unknown)/.test(code) ? 400 : 502
}

function lowered(object: JsonObject): JsonObject {
  return renamed(object, (name) =>
    name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
  )
}

function capitalised(object: JsonObject): JsonObject {
  return renamed(object, (name) =>
    name.replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
  )
}

function renamed(object: JsonObject, rename: (name: string) => string): JsonObject {
  const members = Object.entries(object).map(([name, value]) => {
    const isKept = AS_IT_IS.has(name.toLowerCase())
    return [rename(name), isKept ? asText(value) : inner(value, rename)]
  })
  return Object.fromEntries(members)
}

function inner(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value))
    return value.map((each: unknown) => (isRecord(each) ? renamed(each, rename) : each))
  return isRecord(value) ? renamed(value, rename) : value
}

function asText(value: unknown): unknown {
  return isRecord(value) ? JSON.stringify(value) : value
}
