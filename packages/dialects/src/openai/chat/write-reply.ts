import { textWithImages } from '../../canonical/text-with-images.ts'
import type { WriteContext } from '../../canonical/codec.ts'
import type { Citation, Part, TokenLogprob, ToolCallPart } from '../../canonical/part.ts'
import { rawFor } from '../../canonical/raw.ts'
import type { Reply, ReplyChoice } from '../../canonical/reply.ts'
import type { JsonObject } from '../../json.ts'
import { usageObject } from '../chunks.ts'
import { writeCallSignature } from './call-signature.ts'
import { writeEnd } from './ends.ts'
import { writeCall, writeReasoning } from './write-messages.ts'

/** Writes a complete chat completion, with the model name that the caller requested. */
export function writeReply(reply: Reply, context: WriteContext): JsonObject {
  return {
    id: replyId(reply.id, context),
    object: 'chat.completion',
    created: reply.createdSeconds ?? context.nowSeconds,
    model: context.model,
    choices: reply.choices.map(writeChoice),
    usage: reply.usage && usageObject(reply.usage),
    service_tier: reply.serviceTier,
  }
}

/** Keeps the upstream's own id in whatever format, because it helps to find the request at the upstream. */
export function replyId(id: string, { fallbackId }: WriteContext): string {
  return id === '' ? `chatcmpl-${fallbackId}` : id
}

function writeChoice({ parts, end }: ReplyChoice, index: number): JsonObject {
  const calls = parts.filter((part) => part.type === 'tool-call')
  const texts = parts.filter((part) => part.type === 'text')
  const refusal = parts.flatMap((part) => (part.type === 'refusal' ? [part.text] : [])).join('')
  const content = parts.map(textWithImages).join('')
  const annotations = annotationsIn(parts)
  const logprobs = texts.flatMap((part) => part.logprobs ?? [])
  return {
    index,
    message: {
      role: 'assistant',
      content: content === '' && (calls.length > 0 || refusal !== '') ? null : content,
      refusal: refusal === '' ? null : refusal,
      ...writeReasoning(parts),
      annotations: annotations.length > 0 ? annotations : undefined,
      audio: audioOf(parts),
      tool_calls: calls.length > 0 ? calls.map(writeSigned) : undefined,
    },
    logprobs: logprobs.length === 0 ? null : { content: logprobs.map(writeLogprob), refusal: null },
    finish_reason: writeEnd(end),
  }
}

function writeSigned(call: ToolCallPart): JsonObject {
  return { ...writeCall(call), ...writeCallSignature(call.signature) }
}

function annotationsIn(parts: readonly Part[]): readonly JsonObject[] {
  let said = 0
  return parts.flatMap((part) => {
    const from = said
    said += textWithImages(part).length
    if (part.type !== 'text') return []
    return writeCitations(part.citations ?? [], { from, length: part.text.length })
  })
}

/** Position of a part in the single content text that chat completions make of all parts. */
export interface Span {
  readonly from: number
  readonly length: number
}

/** A citation without a position covers the whole part. */
export function writeCitations(
  citations: readonly Citation[],
  { from, length }: Span,
): readonly JsonObject[] {
  return citations
    .map(({ start = 0, end = length, ...citation }) =>
      writeCitation({ ...citation, start: from + start, end: from + end }),
    )
    .filter((citation) => citation !== undefined)
}

/** Chat completions can only cite URLs. */
function writeCitation({ url, title = '', start = 0, end = 0, raw }: Citation): JsonObject | undefined {
  const own = rawFor(raw, 'openai')
  if (typeof own === 'object' && own !== null) return { ...own }
  if (url === undefined) return undefined
  return { type: 'url_citation', url_citation: { url, title, start_index: start, end_index: end } }
}

export function writeLogprob({ top, ...token }: TokenLogprob): JsonObject {
  return { ...chance(token), top_logprobs: top.map(chance) }
}

function chance(token: Omit<TokenLogprob, 'top'>): JsonObject {
  return { ...token, bytes: token.bytes ?? null }
}

function audioOf(parts: readonly Part[]): JsonObject | undefined {
  for (const part of parts) {
    if (part.type !== 'audio' || part.source.type !== 'data') continue
    return { id: 'audio_0', data: part.source.base64, transcript: part.transcript ?? '', expires_at: 0 }
  }
  return undefined
}
