import type { ReadReply } from '../../canonical/codec.ts'
import type { Citation, Part, TokenLogprob } from '../../canonical/part.ts'
import { findCitedSearch } from '../../canonical/searches.ts'
import type { ReplyChoice } from '../../canonical/reply.ts'
import type { UsageReader } from '../../dialect.ts'
import { recordAt, recordsAt, textAt, type JsonObject } from '../../json.ts'
import { badBody, errorInside } from '../../errors/upstream-error.ts'
import { readEnd } from './ends.ts'
import { reasoningIn } from './content-list.ts'
import { readContent } from './parts.ts'
import { readCalls, readRefusal } from './read-messages.ts'
import { readReasoning } from './reasoning.ts'

/** Reads a complete chat completion. https://platform.openai.com/docs/api-reference/chat/object */
export function readReply(body: JsonObject, readUsage: UsageReader): ReadReply {
  const error = errorInside(body)
  if (error !== undefined) return { type: 'error', error }
  const choices = recordsAt(body, 'choices')
  if (choices.length === 0) return { type: 'error', error: badBody('bad_response_body') }
  const created = body['created']
  return {
    type: 'reply',
    reply: {
      id: textAt(body, 'id') ?? '',
      model: textAt(body, 'model') ?? '',
      choices: choices.map(readChoice),
      createdSeconds: typeof created === 'number' ? created : undefined,
      usage: readUsage(body),
      serviceTier: textAt(body, 'service_tier'),
    },
  }
}

function readChoice(choice: JsonObject): ReplyChoice {
  const message = recordAt(choice, 'message') ?? {}
  const search = findCitedSearch(recordsAt(message, 'annotations').map(readCitation), 'openai')
  const parts = [
    ...(search === undefined ? [] : [search]),
    ...readReasoning(message),
    ...readSaid(message, choice),
    ...readRefusal(message),
    ...readAudio(message),
    ...readImages(message),
    ...readCalls(message),
  ]
  const end = readEnd(choice['finish_reason']) ?? { reason: 'other' as const, raw: '' }
  // Some vendors report "stop" although the model called tools.
  const isCall = end.reason === 'stop' && parts.some((part) => part.type === 'tool-call')
  return { parts, end: isCall ? { ...end, reason: 'tool-calls' } : end }
}

function readSaid(message: JsonObject, choice: JsonObject): readonly Part[] {
  const content = message['content']
  const parts = typeof content === 'string' || Array.isArray(content) ? safeContent(content) : []
  const citations = recordsAt(message, 'annotations').map(readCitation)
  const logprobs = readLogprobs(recordAt(choice, 'logprobs'))
  const more = { citations: citations.length > 0 ? citations : undefined, logprobs }
  return parts.map((part, at) => (at === 0 && part.type === 'text' ? { ...part, ...more } : part))
}

/** Content from an upstream never causes an error; what cannot be read is left out. */
function safeContent(content: string | readonly unknown[]): readonly Part[] {
  try {
    return readContent(content).flatMap(received)
  } catch {
    return []
  }
}

/** Parts that chat completions do not define are left out, except reasoning among the texts. */
function received(part: Part): readonly Part[] {
  if (part.type !== 'opaque') return [part]
  const text = part.raw.value['type'] === 'thinking' ? reasoningIn(part.raw.value) : ''
  return text === '' ? [] : [{ type: 'reasoning', text }]
}

function readAudio(message: JsonObject): readonly Part[] {
  const audio = recordAt(message, 'audio') ?? {}
  const base64 = textAt(audio, 'data')
  if (base64 === undefined) return []
  const source = { type: 'data' as const, mediaType: 'audio/wav', base64 }
  return [{ type: 'audio', source, transcript: textAt(audio, 'transcript') }]
}

/** Reads generated images in the format of OpenRouter and similar vendors. */
function readImages(message: JsonObject): readonly Part[] {
  return safeContent(recordsAt(message, 'images')).filter((part) => part.type === 'image')
}

export function readCitation(annotation: JsonObject): Citation {
  const cited = recordAt(annotation, 'url_citation') ?? annotation
  const [start, end] = [cited['start_index'], cited['end_index']]
  return {
    raw: { dialect: 'openai', value: annotation },
    url: textAt(cited, 'url'),
    title: textAt(cited, 'title'),
    start: typeof start === 'number' ? start : undefined,
    end: typeof end === 'number' ? end : undefined,
  }
}

export function readLogprobs(logprobs: JsonObject | undefined): readonly TokenLogprob[] | undefined {
  const tokens = logprobs && recordsAt(logprobs, 'content')
  if (tokens === undefined || tokens.length === 0) return undefined
  return tokens.map((token) => ({ ...chanceOf(token), top: recordsAt(token, 'top_logprobs').map(chanceOf) }))
}

function chanceOf(token: JsonObject): Omit<TokenLogprob, 'top'> {
  const { logprob, bytes } = token
  return {
    token: textAt(token, 'token') ?? '',
    logprob: typeof logprob === 'number' ? logprob : 0,
    bytes: Array.isArray(bytes) ? bytes.filter((byte) => typeof byte === 'number') : undefined,
  }
}
