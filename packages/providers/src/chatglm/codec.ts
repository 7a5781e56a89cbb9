import type { Frame } from '@tollgate/dialects/canonical/codec'
import type { Conversation, Message } from '@tollgate/dialects/canonical/conversation'
import type { UpstreamError } from '@tollgate/dialects/dialect'
import { parseObject, recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { insideError, readUpstreamError } from '@tollgate/dialects/errors/upstream-error'
import { readOpenAiUsage } from '@tollgate/dialects/openai-usage'
import { dropping, textsOnly, type VendorCodec, tunedBy } from '../define/vendor-codec.ts'
import { plainReader, plainReply, type ReplyParts } from '../define/plain-reply.ts'
import { textOf } from '../ernie/turns.ts'

/** Version 3 of Zhipu's API. https://open.bigmodel.cn/dev/api#chatglm_turbo */
export const chatglmChat: VendorCodec = {
  limits: {
    ...tunedBy('temperature', 'top-p', 'user-id'),
    ...textsOnly,
    ...dropping('sampling has fewer settings', 'seed', 'top-k', 'penalties', 'stop'),
  },
  takesUrl: () => false,
  writeRequest,
  readReply: (body) => plainReply(heardWhole(body)),
  openReader: () => plainReader(heardIn),
  readError: (status, bytes) => {
    const inside = errorIn(parseObject(bytes) ?? {})
    return inside === undefined ? readUpstreamError(status, bytes) : { ...inside, status }
  },
  readUsage: readOpenAiUsage,
}

function writeRequest({ messages, sampling, metadata }: Conversation): JsonObject {
  return {
    prompt: messages.flatMap(writeMessage),
    // Without this each event repeats the whole text so far.
    incremental: true,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    user_id: metadata.userId,
  }
}

/** The format has no system role, so instructions are written as an exchange between user and assistant. */
function writeMessage(message: Message): JsonObject[] {
  const content = textOf(message)
  if (message.role === 'assistant' || message.role === 'user') return [{ role: message.role, content }]
  return [
    { role: 'user', content },
    { role: 'assistant', content: 'Okay' },
  ]
}

function heardWhole(body: JsonObject): ReplyParts {
  const error = errorIn(body)
  if (error !== undefined) return { error }
  const data = recordAt(body, 'data') ?? {}
  const texts = recordsAt(data, 'choices').map((choice) => bare(textAt(choice, 'content') ?? ''))
  return {
    id: textAt(data, 'request_id') ?? textAt(data, 'task_id'),
    text: texts[0],
    usage: readOpenAiUsage(data),
    end: { reason: 'stop', raw: textAt(data, 'task_status') ?? '' },
  }
}

/** Content sometimes arrives as a JSON string literal inside the JSON; it is unquoted then. */
function bare(content: string): string {
  if (!/^\s*"[\s\S]*"\s*$/.test(content)) return content
  try {
    const text: unknown = JSON.parse(content)
    return typeof text === 'string' ? text.trimStart() : content
  } catch {
    return content.trim().slice(1, -1)
  }
}

/** The events are `add`, `finish`, and `error` or `interrupted`, whose data is the error message. */
function heardIn({ event, data }: Frame): ReplyParts | undefined {
  if (event === 'add') return { text: data }
  if (event !== 'finish') return { error: errorIn(parseObject(data) ?? {}) ?? insideError(data) }
  const meta = parseObject(data) ?? {}
  return {
    id: textAt(meta, 'request_id'),
    usage: readOpenAiUsage(meta),
    end: { reason: 'stop', raw: textAt(meta, 'task_status') ?? 'finish' },
  }
}

/** Errors come with status 200 and a four-digit code. https://open.bigmodel.cn/dev/api#error-code-v3 */
function errorIn(body: JsonObject): UpstreamError | undefined {
  const { success, code } = body
  if (success !== false) return undefined
  const message = textAt(body, 'msg') ?? 'the upstream reported a failure'
  const number = typeof code === 'number' ? code : 0
  return { ...insideError(message), code: String(number), status: statusOf(number) }
}

function statusOf(code: number): number {
  if (code >= 1000 && code < 1100) return 401
  if (code >= 1110 && code < 1200) return 403
  if (code >= 1300) return code === 1301 ? 400 : 429
  return code >= 1200 ? 400 : 502
}
