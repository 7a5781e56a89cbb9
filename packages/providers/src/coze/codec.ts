import type { Frame } from '@tollgate/dialects/canonical/codec'
import type { Conversation, Message } from '@tollgate/dialects/canonical/conversation'
import type { UpstreamError } from '@tollgate/dialects/dialect'
import { parseObject, recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { badBody, insideError, readUpstreamError } from '@tollgate/dialects/errors/upstream-error'
import { usageReader } from '@tollgate/dialects/openai-usage'
import { dropping, textsOnly, type VendorCodec, tunedBy } from '../define/vendor-codec.ts'
import { plainReader, type ReplyParts } from '../define/plain-reply.ts'
import { textOf } from '../ernie/turns.ts'

const countsOf = usageReader({})

/**
 * Converts between a Coze bot and a chat. Only streams contain the answer, so the upstream is always called
 * with streaming; a response that is not a stream would have to be polled for.
 * https://www.coze.cn/open/docs/developer_guides/chat_v3
 */
export const cozeChat: VendorCodec = {
  limits: {
    ...tunedBy('user-id'),
    ...textsOnly,
    ...dropping('the bot decides', 'seed', 'top-k', 'penalties', 'stop', 'reasoning'),
  },
  takesUrl: () => false,
  writeRequest,
  // A response that is not a stream is always an error.
  readReply: (body) => ({ type: 'error', error: errorIn(body) ?? badBody('bad_response_body') }),
  openReader: () => plainReader(received),
  readError: readUpstreamError,
  readUsage: (chat) => {
    const { input_count: prompt_tokens, output_count: completion_tokens } = recordAt(chat, 'usage') ?? {}
    return countsOf({ usage: { prompt_tokens, completion_tokens } })
  },
}

/** The system prompt belongs to the bot, so the client's system messages are sent as user messages. */
function writeRequest({ messages, isStream, metadata }: Conversation): JsonObject {
  return {
    user_id: metadata.userId ?? 'tollgate',
    stream: isStream,
    auto_save_history: false,
    additional_messages: messages.map(writeMessage),
  }
}

function writeMessage(message: Message): JsonObject {
  const isAnswer = message.role === 'assistant'
  return {
    role: isAnswer ? 'assistant' : 'user',
    type: isAnswer ? 'answer' : 'question',
    content: textOf(message),
    content_type: 'text',
  }
}

/**
 * `conversation.message.completed` repeats the text of the deltas and is ignored, as are follow-up questions
 * and the bot's intermediate steps.
 */
function received({ event = '', data }: Frame): ReplyParts | undefined {
  const body = parseObject(data)
  if (body === undefined) return undefined
  if (event === 'error' || event === 'conversation.chat.failed') {
    return { error: errorIn(recordAt(body, 'last_error') ?? body) ?? insideError('The bot failed') }
  }
  if (event === 'conversation.chat.requires_action')
    return { error: insideError('The bot waits for a tool that nobody here can run') }
  if (event === 'conversation.message.delta' && body['type'] === 'answer')
    return { reasoning: textAt(body, 'reasoning_content'), text: textAt(body, 'content') }
  if (event === 'conversation.chat.created') return { id: textAt(body, 'id') }
  if (event !== 'conversation.chat.completed') return undefined
  return { usage: cozeChat.readUsage(body), end: { reason: 'stop', raw: textAt(body, 'status') ?? '' } }
}

/** Errors come with status 200. https://www.coze.cn/open/docs/developer_guides/coze_error_codes */
function errorIn(body: JsonObject): UpstreamError | undefined {
  const { code } = body
  if (typeof code !== 'number' || code === 0) return undefined
  const message = textAt(body, 'msg') ?? `error ${code}`
  return { ...insideError(message), code: String(code), status: statusOf(code) }
}

const statuses: Readonly<Record<number, number>> = {
  4000: 400,
  4008: 429,
  4009: 429,
  4011: 429,
  4013: 429,
  4100: 401,
  4101: 403,
  4200: 404,
  700012006: 401,
}

function statusOf(code: number): number {
  return statuses[code] ?? 502
}
