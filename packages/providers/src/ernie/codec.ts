import type { RequestContext } from '@tollgate/dialects/canonical/codec'
import type { Conversation } from '@tollgate/dialects/canonical/conversation'
import type { ChoiceEnd } from '@tollgate/dialects/canonical/reply'
import type { UpstreamError, UsageReader } from '@tollgate/dialects/dialect'
import { textAt, type JsonObject } from '@tollgate/dialects/json'
import { insideError, readUpstreamError } from '@tollgate/dialects/errors/upstream-error'
import { readOpenAiUsage } from '@tollgate/dialects/openai-usage'
import { textsOnly, type VendorCodec, tunedBy } from '../define/vendor-codec.ts'
import { objectParts, plainReply, type ReplyParts } from '../define/plain-reply.ts'
import { alternating } from './turns.ts'

/** Baidu's older chat API. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t */
export const ernieChat: VendorCodec = {
  limits: {
    ...tunedBy('temperature', 'top-p', 'penalties', 'stop', 'output-limit', 'user-id'),
    ...textsOnly,
    seed: { does: 'drop', because: 'a seed never guarantees the same answer' },
  },
  takesUrl: () => false,
  writeRequest,
  readReply: (body, readUsage) => plainReply(heardWhole(body, readUsage)),
  openReader: (readUsage) => objectParts((body) => heardIn(body, readUsage)),
  readError: readUpstreamError,
  readUsage: readOpenAiUsage,
}

function writeRequest(conversation: Conversation, { dropped }: RequestContext): JsonObject {
  const { isStream, sampling, stop, outputTokensMax, metadata } = conversation
  const { system, messages } = alternating(conversation.messages)
  // The vendor has one penalty member for both the frequency and the presence penalty.
  if ((sampling.presencePenalty ?? 0) !== 0) dropped?.add('presence_penalty')
  return {
    messages,
    stream: isStream,
    disable_search: false,
    enable_citation: false,
    system: system === '' ? undefined : system,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    penalty_score: sampling.frequencyPenalty,
    stop: stop.length > 0 ? stop : undefined,
    // The vendor's minimum is two tokens.
    max_output_tokens: outputTokensMax === undefined ? undefined : Math.max(2, outputTokensMax),
    user_id: metadata.userId,
  }
}

/** Errors come with status 200. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh */
export function ernieError(answer: JsonObject): UpstreamError | undefined {
  const code = answer['error_code']
  if (typeof code !== 'number' || code === 0) return undefined
  const message = textAt(answer, 'error_msg') ?? `error ${code}`
  return { ...insideError(message), status: statusOf(code), code: String(code) }
}

function statusOf(code: number): number {
  if (code === 110 || code === 111 || code === 100 || code === 6) return 401
  if (code === 4 || (code >= 17 && code <= 19) || code === 336_501 || code === 336_502) return 429
  return code >= 336_000 && code < 337_000 && code !== 336_000 && code !== 336_100 ? 400 : 502
}

function heardWhole(body: JsonObject, readUsage: UsageReader): ReplyParts {
  const error = ernieError(body)
  if (error !== undefined) return { error }
  const { created } = body
  const createdSeconds = typeof created === 'number' ? created : undefined
  const head = { id: textAt(body, 'id'), createdSeconds }
  return { ...head, text: textAt(body, 'result'), usage: readUsage(body), end: readEnd(body) }
}

/** The last frame of a stream has `is_end`; the ends of the others say nothing. */
function heardIn(body: JsonObject, readUsage: UsageReader): ReplyParts {
  const { end, ...parts } = heardWhole(body, readUsage)
  return body['is_end'] === true ? { ...parts, end } : parts
}

function readEnd(body: JsonObject): ChoiceEnd {
  const raw = textAt(body, 'finish_reason') ?? (body['is_truncated'] === true ? 'length' : 'stop')
  if (raw === 'length' || body['is_truncated'] === true) return { reason: 'length', raw }
  if (raw === 'content_filter' || body['need_clear_history'] === true) return { reason: 'filtered', raw }
  return { reason: raw === 'stop' || raw === 'normal' ? 'stop' : 'other', raw }
}
