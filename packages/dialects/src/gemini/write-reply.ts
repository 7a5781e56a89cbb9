import type { WriteContext } from '../canonical/codec.ts'
import type { Part } from '../canonical/part.ts'
import type { Reply, ReplyChoice } from '../canonical/reply.ts'
import { rawFor } from '../canonical/raw.ts'
import { isRecord, type JsonObject } from '../json.ts'
import { writeFinish } from './finish.ts'
import { readGrounds, writeGrounding } from './grounding.ts'
import { writeGeminiUsage } from './usage.ts'
import { writeTokenLogprobs } from './logprobs.ts'
import { writePart, type GeminiPart } from './write-parts.ts'

/** Writes a complete `GenerateContentResponse`. */
export function writeReply(reply: Reply, context: WriteContext): JsonObject {
  return {
    candidates: reply.choices.map(writeCandidate),
    usageMetadata: reply.usage === undefined ? undefined : writeGeminiUsage(reply.usage),
    ...headOf(reply, context),
    ...rawFor(reply.extras, 'gemini'),
  }
}

/** Members that a response and every fragment of a stream have. */
export function headOf({ id }: Pick<Reply, 'id'>, { model, fallbackId }: WriteContext): JsonObject {
  return { modelVersion: model, responseId: id || fallbackId }
}

function writeCandidate({ parts, end }: ReplyChoice, index: number): JsonObject {
  const grounding = writeGrounding(readGrounds(parts))
  const detail = rawFor(end.detail, 'gemini')
  return {
    content: { parts: keepOnePart(parts.flatMap(writeAnswerPart)), role: 'model' },
    finishReason: writeFinish(end),
    ...(isRecord(detail) ? detail : {}),
    groundingMetadata: grounding,
    ...writeTokenLogprobs(parts.flatMap((part) => (part.type === 'text' ? (part.logprobs ?? []) : []))),
    index,
  }
}

/** Libraries read the first part of a content without looking whether there is one. */
export function keepOnePart(parts: readonly GeminiPart[]): readonly GeminiPart[] {
  return parts.length === 0 ? [{ text: '' }] : parts
}

/** Responses contain no tool results. */
export function writeAnswerPart(part: Part): GeminiPart[] {
  return part.type === 'tool-result' ? [] : writePart(part)
}
