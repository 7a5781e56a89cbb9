import type { WriteContext } from '../canonical/codec.ts'
import type { Part, SearchPart } from '../canonical/part.ts'
import { rawFor } from '../canonical/raw.ts'
import type { Reply } from '../canonical/reply.ts'
import { withCitedPages } from '../canonical/searches.ts'
import type { JsonObject } from '../json.ts'
import { textWithImages } from '../canonical/text-with-images.ts'
import { noUsage } from '../usage.ts'
import { writeEnd } from './ends.ts'
import { writeCitation, writeSearch } from './searches.ts'
import { inputOf } from './write-blocks.ts'
import { writeSignature } from './signature.ts'
import { writeUsage } from './usage.ts'

/**
 * Writes a complete message, with the model name that the caller requested. The format has only one choice.
 */
export function writeReply(reply: Reply, context: WriteContext): JsonObject {
  const [choice] = reply.choices
  const end = choice?.end ?? { reason: 'other' as const, raw: '' }
  const parts = withCitedPages(choice?.parts ?? [])
  const searches = parts.filter((part) => part.type === 'search' && part.isFailed !== true).length
  return {
    ...messageHead(reply.id, context),
    content: parts.flatMap(writeAnswerBlocks),
    ...writeEnd(end),
    usage: writeUsage(reply.usage ?? { ...noUsage, inputText: context.inputTokensCounted }, searches),
  }
}

function writeAnswerBlocks(part: Part, number: number): readonly JsonObject[] {
  if (part.type !== 'search') {
    const block = writeAnswerBlock(part)
    return block === undefined ? [] : [block]
  }
  const { call, result } = writeSearch(part, number)
  return result === undefined ? [call] : [call, result]
}

export function messageHead(id: string, { fallbackId, model }: WriteContext): JsonObject {
  return {
    id: id === '' ? `msg_${fallbackId}` : id,
    type: 'message',
    role: 'assistant',
    model,
  }
}

/**
 * Writes a complete content block of a response; `undefined` for a part that the Messages format cannot show.
 */
export function writeAnswerBlock(part: Exclude<Part, SearchPart>): JsonObject | undefined {
  switch (part.type) {
    case 'refusal':
    case 'text':
      return { type: 'text', text: part.text, ...citationsOf(part) }
    case 'image':
      return { type: 'text', text: textWithImages(part) }
    case 'audio':
      return { type: 'text', text: part.transcript ?? '' }
    case 'reasoning':
      return {
        type: 'thinking',
        thinking: part.text,
        signature: part.signature === undefined ? '' : writeSignature(part.signature),
      }
    case 'redacted-reasoning':
      return { type: 'redacted_thinking', data: writeSignature(part.data) }
    case 'tool-call':
      return {
        type: 'tool_use',
        id: part.id,
        name: part.name,
        input: inputOf(part),
      }
    case 'opaque':
      return rawFor(part.raw, 'anthropic')
    case 'tool-result':
    case 'video':
    case 'file':
      break
  }
  return undefined
}

function citationsOf(part: Part): JsonObject {
  if (part.type !== 'text' || part.citations === undefined) return {}
  const citations = part.citations.map((citation) => writeCitation(citation, part.text)).filter(Boolean)
  return citations.length > 0 ? { citations } : {}
}
