import { readCache } from '../canonical/cache-marker.ts'
import { ownValue } from '@tollgate/kit/own-value'
import { problem } from '@tollgate/problems/problem'
import { base64OfText } from '../canonical/data-url.ts'
import { unknownMembers } from '../canonical/members.ts'
import type { Citation, Part, Source } from '../canonical/part.ts'
import { isRecord, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import { readBlocks } from './searches.ts'
import { readSignature } from './signature.ts'

/**
 * Reads the content of a conversation turn or of a tool result. https://docs.anthropic.com/en/api/messages
 */
export function readContent(content: unknown): readonly Part[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content) || !content.every(isRecord))
    throw problem('member_invalid', { param: 'content' })
  return readBlocks(content, readBlock)
}

/**
 * Reads one content block of a request or a response. A block type that no other dialect has becomes an
 * opaque part.
 */
export function readBlock(block: JsonObject): Part {
  const type = textAt(block, 'type') ?? ''
  const read = ownValue(readers, type)?.(block)
  if (read === undefined) return { type: 'opaque', raw: { dialect: 'anthropic', value: block } }
  return { ...read, cache: readCache(block) }
}

type Readable = Exclude<Part, { type: 'opaque' | 'search' }>

const readers: Readonly<Record<string, (block: JsonObject) => Readable | undefined>> = {
  text: (block) => {
    const citations = recordsAt(block, 'citations').map(readCitation)
    return {
      type: 'text',
      text: textAt(block, 'text') ?? '',
      citations: citations.length > 0 ? citations : undefined,
    }
  },
  image: (block) => {
    const source = readSource(recordAt(block, 'source'))
    return source && { type: 'image', source }
  },
  document: readDocument,
  tool_use: (block) => ({
    type: 'tool-call',
    id: textAt(block, 'id') ?? '',
    name: textAt(block, 'name') ?? '',
    arguments: JSON.stringify(block['input'] ?? {}),
    kind: 'function',
    extras: unknownMembers(block, knownOfCall, 'anthropic'),
  }),
  tool_result: (block) => {
    const callId = textAt(block, 'tool_use_id')
    if (callId === undefined) throw problem('member_missing', { param: 'tool_use_id' })
    const isError = block['is_error'] === true ? true : undefined
    return {
      type: 'tool-result',
      callId,
      parts: readContent(block['content']),
      isError,
    }
  },
  thinking: (block) => ({
    type: 'reasoning',
    text: textAt(block, 'thinking') ?? '',
    signature: readSignature(textAt(block, 'signature')),
  }),
  redacted_thinking: (block) => {
    const data = readSignature(textAt(block, 'data'))
    return data && { type: 'redacted-reasoning', data }
  },
}

const knownOfCall = new Set(['type', 'id', 'name', 'input', 'cache_control'])

function readDocument(block: JsonObject): Readable | undefined {
  const raw = recordAt(block, 'source')
  const source = readSource(raw)
  if (source === undefined) return undefined
  const isCited = recordAt(block, 'citations')?.['enabled'] === true ? true : undefined
  const title = textAt(block, 'title')
  const context = textAt(block, 'context')
  return { type: 'file', source, title, context, wantsCitations: isCited }
}

/** Returns `undefined` for a source type that only Anthropic has, such as a list of blocks. */
function readSource(source: JsonObject | undefined): Source | undefined {
  if (source === undefined) return undefined
  const data = textAt(source, 'data')
  const mediaType = textAt(source, 'media_type')
  const url = textAt(source, 'url')
  const id = textAt(source, 'file_id')
  if (source['type'] === 'base64' && data !== undefined && mediaType !== undefined) {
    return { type: 'data', mediaType, base64: data }
  }
  if (source['type'] === 'text' && data !== undefined) {
    return { type: 'data', mediaType: mediaType ?? 'text/plain', base64: base64OfText(data) }
  }
  if (source['type'] === 'url' && url !== undefined) return { type: 'url', url }
  return id === undefined ? undefined : { type: 'id', id, dialect: 'anthropic' }
}

/** https://docs.anthropic.com/en/docs/build-with-claude/citations */
export function readCitation(citation: JsonObject): Citation {
  return {
    raw: { dialect: 'anthropic', value: citation },
    url: textAt(citation, 'url'),
    title: textAt(citation, 'title') ?? textAt(citation, 'document_title'),
    quote: textAt(citation, 'cited_text'),
  }
}
