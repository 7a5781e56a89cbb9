import type { Frame, ReadReply, ReplyReader } from '@tollgate/dialects/canonical/codec'
import type { Conversation, Message } from '@tollgate/dialects/canonical/conversation'
import type { ReplyEvent } from '@tollgate/dialects/canonical/event'
import type { Limit } from '@tollgate/dialects/canonical/feature'
import type { Part } from '@tollgate/dialects/canonical/part'
import { PartSequence } from '@tollgate/dialects/canonical/part-sequence'
import { omitUndefined } from '@tollgate/dialects/canonical/omit-undefined'
import type { UpstreamError, UsageReader } from '@tollgate/dialects/dialect'
import { parseObject, recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { badBody, insideError, readUpstreamError } from '@tollgate/dialects/errors/upstream-error'
import { readOpenAiUsage } from '@tollgate/dialects/openai-usage'
import { problem } from '@tollgate/problems/problem'
import { textsOnly, type VendorCodec, tunedBy } from '../define/vendor-codec.ts'
import { textOf } from '../ernie/turns.ts'

const APP: Limit = { does: 'drop', because: 'the application decides' }
const { image: _image, prefill: _prefill, ...noMedia } = textsOnly

/**
 * Converts between a Dify application and a chat. https://docs.dify.ai/api-reference/chat/send-chat-message
 */
export const difyChat: VendorCodec = {
  limits: {
    ...tunedBy('user-id'),
    ...noMedia,
    seed: APP,
    'top-k': APP,
    penalties: APP,
    stop: APP,
    reasoning: APP,
  },
  takesUrl: ({ type }) => type === 'image',
  writeRequest,
  readReply,
  openReader: (readUsage) => new DifyStreamReader(readUsage),
  readError: readUpstreamError,
  readUsage: (answer) => readOpenAiUsage(recordAt(answer, 'metadata') ?? {}),
}

/** The application receives one text, in which every message follows the name of its role. */
function writeRequest({ messages, isStream, metadata }: Conversation): JsonObject {
  return {
    inputs: {},
    query: messages.map(paragraph).join(''),
    response_mode: isStream ? 'streaming' : 'blocking',
    user: metadata.userId ?? 'tollgate',
    auto_generate_name: false,
    files: messages.flatMap(({ parts }) => parts.flatMap(writeFile)),
  }
}

function paragraph(message: Message): string {
  const role = message.role === 'developer' ? 'system' : message.role
  return `${role.toUpperCase()}: \n${textOf(message)}\n`
}

function writeFile(part: Part): JsonObject[] {
  if (part.type !== 'image') return []
  if (part.source.type !== 'url') throw problem('media_unsupported', { type: 'image by data' })
  return [{ type: 'image', transfer_method: 'remote_url', url: part.source.url }]
}

function readReply(body: JsonObject, readUsage: UsageReader): ReadReply {
  const text = body['answer']
  if (typeof text !== 'string') return { type: 'error', error: errorOf(body) ?? badBody('bad_response_body') }
  return {
    type: 'reply',
    reply: {
      ...headOf(body),
      choices: [{ parts: text === '' ? [] : [{ type: 'text', text }], end: { reason: 'stop', raw: 'stop' } }],
      ...omitUndefined({ usage: readUsage(body) }),
    },
  }
}

function headOf(body: JsonObject) {
  const { created_at: created } = body
  const createdSeconds = typeof created === 'number' ? created : undefined
  const id = textAt(body, 'conversation_id') ?? textAt(body, 'message_id') ?? ''
  return { id, model: '', createdSeconds }
}

function errorOf(body: JsonObject): UpstreamError | undefined {
  const message = textAt(body, 'message')
  if (message === undefined) return undefined
  const { status } = body
  const isStatus = typeof status === 'number' && status >= 400 && status <= 599
  return {
    ...insideError(message),
    code: textAt(body, 'code') ?? 'stream_response_error',
    status: isStatus ? status : 502,
  }
}

const ANSWERS = new Set(['message', 'agent_message'])

/** Workflow steps, agent thoughts and pings are not passed on to the client. */
class DifyStreamReader implements ReplyReader {
  readonly #readUsage: UsageReader
  readonly #sequence = new PartSequence()
  #hasStarted = false
  #isOver = false

  constructor(readUsage: UsageReader) {
    this.#readUsage = readUsage
  }

  push({ data }: Frame): readonly ReplyEvent[] {
    const body = this.#isOver ? undefined : parseObject(data)
    const event = body && textAt(body, 'event')
    if (body === undefined || event === undefined) return []
    if (event === 'error') {
      this.#isOver = true
      return [{ type: 'error', error: errorOf(body) ?? insideError('The application failed') }]
    }
    if (event === 'message_end') return [...this.#start(body), ...this.#end(body)]
    const text = ANSWERS.has(event) ? (textAt(body, 'answer') ?? '') : ''
    if (text === '') return []
    return [
      ...this.#start(body),
      ...this.#sequence.enter('text', { type: 'text', text: '' }),
      ...this.#sequence.text(text),
    ]
  }

  end(): readonly ReplyEvent[] {
    return []
  }

  #start(body: JsonObject): readonly ReplyEvent[] {
    if (this.#hasStarted) return []
    this.#hasStarted = true
    return [{ type: 'reply-start', ...headOf(body) }]
  }

  #end(body: JsonObject): readonly ReplyEvent[] {
    this.#isOver = true
    const usage = this.#readUsage(body)
    return [
      ...this.#sequence.end({ reason: 'stop', raw: 'message_end' }),
      ...(usage === undefined ? [] : [{ type: 'usage' as const, usage }]),
      { type: 'reply-end' },
    ]
  }
}
