import type { ReadReply } from '../canonical/codec.ts'
import type { Citation, Part, TextPart } from '../canonical/part.ts'
import type { ReplyChoice } from '../canonical/reply.ts'
import type { UpstreamError, UsageReader } from '../dialect.ts'
import { recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import { badBody } from '../errors/upstream-error.ts'
import { errorIn } from './error.ts'
import { readFinish } from './finish.ts'
import { joined } from './joined.ts'
import { readTokenLogprobs } from './logprobs.ts'
import { CallIds, readParts } from './read-parts.ts'

/** Reads a complete `GenerateContentResponse`. */
export function readReply(body: JsonObject, readUsage: UsageReader, fallbackId = ''): ReadReply {
  const error = errorIn(body) ?? blocked(body)
  if (error !== undefined) return { type: 'error', error }
  const candidates = recordsAt(body, 'candidates')
  if (candidates.length === 0) return { type: 'error', error: badBody('empty_response') }
  const id = textAt(body, 'responseId') ?? ''
  return {
    type: 'reply',
    reply: {
      id,
      model: textAt(body, 'modelVersion') ?? '',
      choices: candidates.map((candidate, index) =>
        readCandidate(candidate, new CallIds(callPrefix(id || fallbackId, index))),
      ),
      usage: readUsage(body),
      createdSeconds: createdSeconds(body),
    },
  }
}

/**
 * Prefix for generated call ids. The ids must be unique across the turns of a conversation, because results
 * are matched with their calls by id.
 */
export function callPrefix(responseId: string, index: number): string {
  const id = responseId.replaceAll(/[^\w-]/g, '')
  return index === 0 ? `call_${id}` : `call_${id}_${index}`
}

export function createdSeconds(body: JsonObject): number | undefined {
  const time = Date.parse(textAt(body, 'createTime') ?? '')
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000)
}

/**
 * Returns an error if the prompt itself was blocked: there is no output, and the same prompt would be blocked
 * again.
 */
export function blocked(body: JsonObject): UpstreamError | undefined {
  const feedback = recordAt(body, 'promptFeedback')
  const reason = feedback && textAt(feedback, 'blockReason')
  if (reason === undefined || recordsAt(body, 'candidates').length > 0) return undefined
  const message = textAt(feedback ?? {}, 'blockReasonMessage') ?? `The prompt was blocked: ${reason}`
  return {
    status: 400,
    message,
    type: 'invalid_request_error',
    code: 'prompt_blocked',
    param: null,
    raw: feedback,
  }
}

function readCandidate(candidate: JsonObject, ids: CallIds): ReplyChoice {
  const logprobs = readTokenLogprobs(candidate)
  const parts = withLogprobs(joined(readParts(recordAt(candidate, 'content') ?? {}, ids)), logprobs)
  const citations = citationsOf(candidate)
  return {
    parts: citations.length === 0 ? parts : cited(parts, citations),
    end: readFinish(textAt(candidate, 'finishReason') ?? '', {
      hasCalls: parts.some((part) => part.type === 'tool-call'),
      message: textAt(candidate, 'finishMessage'),
    }),
  }
}

/** Web pages that an answer cites: https://ai.google.dev/api/generate-content#GroundingMetadata */
export function citationsOf(candidate: JsonObject): Citation[] {
  const grounding = recordAt(candidate, 'groundingMetadata') ?? {}
  return recordsAt(grounding, 'groundingChunks').flatMap((chunk) => {
    const web = recordAt(chunk, 'web') ?? recordAt(chunk, 'retrievedContext')
    const url = web && textAt(web, 'uri')
    if (web === undefined || url === undefined) return []
    return [
      {
        url,
        title: textAt(web, 'title'),
        raw: { dialect: 'gemini' as const, value: chunk },
      },
    ]
  })
}

/** They are told for the whole candidate, whose texts are nearly always one. */
function withLogprobs(parts: readonly Part[], logprobs: TextPart['logprobs']): readonly Part[] {
  const at = logprobs === undefined ? -1 : parts.findIndex((part) => part.type === 'text')
  return parts.map((part, index) => (index === at && part.type === 'text' ? { ...part, logprobs } : part))
}

function cited(parts: readonly Part[], citations: readonly Citation[]): Part[] {
  const at = parts.findLastIndex((part) => part.type === 'text')
  return parts.map((part, index) => (index === at && part.type === 'text' ? { ...part, citations } : part))
}
