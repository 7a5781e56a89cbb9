import { problem } from '@tollgate/problems/problem'
import { textOfSource } from '../canonical/data-url.ts'
import type { Part, SearchPart, Source, ToolResultPart } from '../canonical/part.ts'
import { rawFor } from '../canonical/raw.ts'
import type { JsonObject } from '../json.ts'
import { parseTextObject } from '../json-limits.ts'
import { writeSignature } from './signature.ts'

/**
 * Writes the content blocks of a request; none for a part that Anthropic's format cannot express, or that it
 * would reject as empty.
 */
export function writeBlocks(part: Part): readonly JsonObject[] {
  if (part.type === 'search') return rawFor(part.raw, 'anthropic') ?? []
  const block = writeBlock(part)
  return block === undefined ? [] : [block]
}

function writeBlock(part: Exclude<Part, SearchPart>): JsonObject | undefined {
  const block = bareBlock(part)
  if (block === undefined || part.type === 'opaque' || part.cache === undefined) return block
  return { ...block, cache_control: writeCache(part.cache.ttl) }
}

export function writeCache(ttl: '5m' | '1h'): JsonObject {
  return { type: 'ephemeral', ttl: ttl === '1h' ? ttl : undefined }
}

function bareBlock(part: Exclude<Part, SearchPart>): JsonObject | undefined {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text.trim() === '' ? undefined : { type: 'text', text: part.text }
    case 'image':
      return { type: 'image', source: writeImage(part.source) }
    case 'file':
      return writeDocument(part)
    case 'tool-call':
      return { type: 'tool_use', id: part.id, name: part.name, input: inputOf(part) }
    case 'tool-result':
      return writeResult(part)
    case 'reasoning':
      // Anthropic rejects a thinking block without one of its own signatures.
      return part.signature?.dialect === 'anthropic'
        ? { type: 'thinking', thinking: part.text, signature: part.signature.value }
        : undefined
    case 'redacted-reasoning':
      return part.data.dialect === 'anthropic'
        ? { type: 'redacted_thinking', data: writeSignature(part.data) }
        : undefined
    case 'opaque':
      return rawFor(part.raw, 'anthropic')
    case 'audio':
    case 'video':
      break
  }
  return undefined
}

/**
 * Anthropic accepts only an object as tool input. Arguments that are not a JSON object are wrapped in one, so
 * that they stay readable.
 */
export function inputOf({ arguments: written, kind }: Extract<Part, { type: 'tool-call' }>): JsonObject {
  if (kind === 'custom') return { input: written }
  return parseTextObject(written) ?? (written.trim() === '' ? {} : { input: written })
}

function writeResult({ callId, parts, isError }: ToolResultPart): JsonObject {
  const [first, second] = parts
  const blocks = parts.flatMap(writeBlocks)
  const isPlain = first?.type === 'text' && second === undefined
  return {
    type: 'tool_result',
    tool_use_id: callId,
    content: isPlain ? first.text : blocks,
    is_error: isError,
  }
}

/** https://docs.anthropic.com/en/docs/build-with-claude/vision */
const IMAGE_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

function writeImage(source: Source): JsonObject {
  if (source.type === 'data') {
    const mediaType = source.mediaType === 'image/jpg' ? 'image/jpeg' : source.mediaType
    if (!IMAGE_TYPES.has(mediaType)) throw problem('media_unsupported', { type: source.mediaType })
    return { type: 'base64', media_type: mediaType, data: source.base64 }
  }
  return writeElsewhere(source)
}

function writeElsewhere(source: Exclude<Source, { type: 'data' }>): JsonObject {
  if (source.type === 'url') return { type: 'url', url: source.url }
  if (source.dialect === 'anthropic') return { type: 'file', file_id: source.id }
  throw problem('media_unsupported', { type: 'file id' })
}

/** https://docs.anthropic.com/en/docs/build-with-claude/pdf-support */
function writeDocument(part: Extract<Part, { type: 'file' }>): JsonObject {
  const title = part.title ?? part.name
  return {
    type: 'document',
    source: documentSource(part.source),
    title,
    context: part.context,
    citations: part.wantsCitations === true ? { enabled: true } : undefined,
  }
}

function documentSource(source: Source): JsonObject {
  const text = textOfSource(source)
  if (text !== undefined) return { type: 'text', media_type: 'text/plain', data: text }
  if (source.type !== 'data') return writeElsewhere(source)
  if (source.mediaType !== 'application/pdf') throw problem('media_unsupported', { type: source.mediaType })
  return { type: 'base64', media_type: source.mediaType, data: source.base64 }
}
