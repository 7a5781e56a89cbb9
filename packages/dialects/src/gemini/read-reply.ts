import type { ReadReply } from '../canonical/codec.ts'
import type { Part, TextPart } from '../canonical/part.ts'
import type { ReplyChoice } from '../canonical/reply.ts'
import type { UpstreamError, UsageReader } from '../dialect.ts'
import { recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import { badBody } from '../errors/upstream-error.ts'
import { errorIn } from './error.ts'
import { readFinish } from './finish.ts'
import { readCitations, readSearches } from './grounding.ts'
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
        readCandidate(candidate, {
          ids: new CallIds(callPrefix(id || fallbackId, index)),
          model: textAt(body, 'modelVersion') ?? '',
        }),
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

interface CandidateContext {
  readonly ids: CallIds
  readonly model: string
}

function readCandidate(candidate: JsonObject, { ids, model }: CandidateContext): ReplyChoice {
  const logprobs = readTokenLogprobs(candidate)
  const parts = withLogprobs(joined(readParts(recordAt(candidate, 'content') ?? {}, ids)), logprobs)
  const grounding = recordAt(candidate, 'groundingMetadata') ?? {}
  const searches = readSearches(grounding, model)
  return {
    parts: [...searches, ...cited(parts, grounding)],
    end: readFinish(textAt(candidate, 'finishReason') ?? '', {
      hasCalls: parts.some((part) => part.type === 'tool-call'),
      message: textAt(candidate, 'finishMessage'),
    }),
  }
}

/** They are told for the whole candidate, whose texts are nearly always one. */
function withLogprobs(parts: readonly Part[], logprobs: TextPart['logprobs']): readonly Part[] {
  const at = logprobs === undefined ? -1 : parts.findIndex((part) => part.type === 'text')
  return parts.map((part, index) => (index === at && part.type === 'text' ? { ...part, logprobs } : part))
}

/** The texts of an answer are nearly always one; the pages are cited by the last. */
function cited(parts: readonly Part[], grounding: JsonObject): readonly Part[] {
  const last = parts.findLast((part) => part.type === 'text')
  const citations = last === undefined ? [] : readCitations(grounding, last.text)
  return citations.length === 0 ? parts : parts.map((part) => (part === last ? { ...last, citations } : part))
}
