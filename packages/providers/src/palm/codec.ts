import type { Conversation, Message } from '@tollgate/dialects/canonical/conversation'
import { isRecord, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { badBody, errorInside, insideError } from '@tollgate/dialects/errors/upstream-error'
import { readGeminiError } from '@tollgate/dialects/gemini/error'
import type { ReadReply } from '@tollgate/dialects/canonical/codec'
import { dropping, textsOnly, type VendorCodec, tunedBy } from '../define/vendor-codec.ts'
import { objectParts } from '../define/plain-reply.ts'
import { textOf } from '../ernie/turns.ts'

const { 'several-choices': _several, ...oneChoice } = textsOnly

/**
 * The format has no usage and no streaming.
 * https://developers.generativeai.google/api/rest/generativelanguage/models/generateMessage
 */
export const palmChat: VendorCodec = {
  limits: {
    ...tunedBy('temperature', 'top-p', 'top-k'),
    ...oneChoice,
    ...dropping('sampling has fewer settings', 'seed', 'penalties', 'stop'),
  },
  takesUrl: () => false,
  writeRequest,
  readReply,
  openReader: () => objectParts(() => undefined),
  readError: readGeminiError,
  readUsage: () => undefined,
}

function writeRequest({ messages, sampling, choices }: Conversation): JsonObject {
  return {
    prompt: { messages: messages.map(writeMessage) },
    candidateCount: choices,
    temperature: sampling.temperature,
    topP: sampling.topP,
    topK: sampling.topK,
  }
}

/** Authors are numbers: the user is 0. */
function writeMessage(message: Message): JsonObject {
  return { author: message.role === 'user' ? '0' : '1', content: textOf(message) }
}

function readReply(body: JsonObject): ReadReply {
  const candidates = recordsAt(body, 'candidates')
  const error = errorInside(body) ?? (candidates.length === 0 ? emptyError(body) : undefined)
  if (error !== undefined) return { type: 'error', error }
  const choices = candidates.map((candidate) => {
    const text = textAt(candidate, 'content')
    const parts = text === undefined ? [] : [{ type: 'text' as const, text }]
    return { parts, end: { reason: 'stop' as const, raw: '' } }
  })
  return { type: 'reply', reply: { id: '', model: '', choices } }
}

/** Filtered content is missing from the response; only the filter reason is returned. */
function emptyError(body: JsonObject) {
  const [filter] = Array.isArray(body['filters']) ? body['filters'].filter(isRecord) : []
  const reason = filter && textAt(filter, 'reason')
  if (reason === undefined) return badBody('empty_response')
  return { ...insideError(`The answer was filtered: ${reason}`), status: 400, code: 'content_filter' }
}
