import type { Conversation, Message } from '@tollgate/dialects/canonical/conversation'
import type { Part } from '@tollgate/dialects/canonical/part'
import type { UpstreamError, UsageReader } from '@tollgate/dialects/dialect'
import { recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { badBody, insideError, readUpstreamError } from '@tollgate/dialects/errors/upstream-error'
import { readOpenAiUsage } from '@tollgate/dialects/openai-usage'
import { problem } from '@tollgate/problems/problem'
import { dropping, textsOnly, type VendorCodec, tunedBy } from '../define/vendor-codec.ts'
import { objectParts, plainReply, type ReplyParts } from '../define/plain-reply.ts'
import { textOf } from '../ernie/turns.ts'

const { image: _image, prefill: _prefill, ...noMedia } = textsOnly

/**
 * Converts between a Dify application and a chat. https://docs.dify.ai/api-reference/chat/send-chat-message
 */
export const difyChat: VendorCodec = {
  limits: {
    ...tunedBy('user-id'),
    ...noMedia,
    ...dropping('the application decides', 'seed', 'top-k', 'penalties', 'stop', 'reasoning'),
  },
  takesUrl: ({ type }) => type === 'image',
  writeRequest,
  readReply: (body, readUsage) => plainReply(heardWhole(body, readUsage)),
  openReader: (readUsage) => objectParts((body) => heardIn(body, readUsage)),
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

function heardWhole(body: JsonObject, readUsage: UsageReader): ReplyParts {
  const text = body['answer']
  if (typeof text !== 'string') return { error: errorOf(body) ?? badBody('bad_response_body') }
  return { ...headOf(body), text, usage: readUsage(body), end: { reason: 'stop', raw: 'stop' } }
}

function headOf(body: JsonObject): ReplyParts {
  const { created_at: created } = body
  const id = textAt(body, 'conversation_id') ?? textAt(body, 'message_id')
  return { id, createdSeconds: typeof created === 'number' ? created : undefined }
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
function heardIn(body: JsonObject, readUsage: UsageReader): ReplyParts | undefined {
  const event = textAt(body, 'event') ?? ''
  if (event === 'error') return { error: errorOf(body) ?? insideError('The application failed') }
  if (event === 'message_end')
    return { ...headOf(body), usage: readUsage(body), end: { reason: 'stop', raw: 'message_end' } }
  const text = ANSWERS.has(event) ? textAt(body, 'answer') : undefined
  return text === undefined ? undefined : { ...headOf(body), text }
}
