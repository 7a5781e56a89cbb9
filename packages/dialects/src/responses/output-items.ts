import { argumentsText } from '../canonical/arguments.ts'
import type { Part, ReasoningPart, RedactedReasoningPart, ToolCallPart } from '../canonical/part.ts'
import { packForeignValue, unpackForeignValue } from '../canonical/packed.ts'
import { rawFor } from '../canonical/raw.ts'
import { parseObject, recordsAt, textAt, type JsonObject } from '../json.ts'
import { readPart, writeOutputText } from './content.ts'
import { TOOL_SEARCH } from './read-tools.ts'
import { readSearch, writeSearch } from './searches.ts'

/** Reads an item that the model wrote, from a response or from the input of the next request. */
export function readOutputItem(item: JsonObject): Part[] {
  const type = textAt(item, 'type')
  if (type === 'message') return recordsAt(item, 'content').map(readPart)
  if (type === 'reasoning') return readReasoning(item)
  if (type === 'function_call') return [readCall(item, 'function', 'arguments')]
  if (type === 'custom_tool_call') return [readCall(item, 'custom', 'input')]
  const search = type === 'web_search_call' ? readSearch(item) : undefined
  if (search !== undefined) return [search]
  if (isToolSearchCall(item)) return [readToolSearchCall(item)]
  const drawn = type === 'image_generation_call' ? textAt(item, 'result') : undefined
  if (drawn === undefined) return [{ type: 'opaque', raw: { dialect: 'responses', value: item } }]
  const mediaType = `image/${textAt(item, 'output_format') ?? 'png'}`
  return [
    {
      type: 'image',
      source: { type: 'data', mediaType, base64: drawn },
      extras: { dialect: 'responses', value: item },
    },
  ]
}

export function readCall(item: JsonObject, kind: ToolCallPart['kind'], member: string): ToolCallPart {
  return {
    type: 'tool-call',
    id: textAt(item, 'call_id') ?? textAt(item, 'id') ?? '',
    name: textAt(item, 'name') ?? '',
    arguments: textAt(item, member) ?? '',
    kind,
    namespace: textAt(item, 'namespace'),
  }
}

/** A tool search that the vendor itself ran has no `call_id`, so no result can refer to it. */
function isToolSearchCall(item: JsonObject): boolean {
  return item['type'] === 'tool_search_call' && textAt(item, 'call_id') !== undefined
}

function readToolSearchCall(item: JsonObject): ToolCallPart {
  const written = item['arguments'] ?? {}
  return {
    type: 'tool-call',
    id: textAt(item, 'call_id') ?? '',
    name: TOOL_SEARCH,
    arguments: typeof written === 'string' ? written : JSON.stringify(written),
    kind: 'function',
    isToolSearch: true,
  }
}

/** Separates the paragraphs of a summary, which are separate parts in this dialect. */
export const PARAGRAPH = '\n\n'

export function readReasoning(item: JsonObject): (ReasoningPart | RedactedReasoningPart)[] {
  const summary = recordsAt(item, 'summary').flatMap((part) => textAt(part, 'text') ?? [])
  const content = recordsAt(item, 'content').flatMap((part) => textAt(part, 'text') ?? [])
  const sealed = unpackForeignValue(textAt(item, 'encrypted_content'), 'responses')
  const id = idOf(item)
  const text = content.length > 0 ? content.join('') : summary.join(PARAGRAPH)
  if (text === '') return sealed === undefined ? [] : [{ type: 'redacted-reasoning', data: sealed, id }]
  const isSummary = content.length > 0 ? undefined : true
  return [{ type: 'reasoning', text, signature: sealed, isSummary, id }]
}

export function idOf(
  item: JsonObject,
): { readonly dialect: 'responses'; readonly value: string } | undefined {
  const value = textAt(item, 'id')
  return value === undefined ? undefined : { dialect: 'responses', value }
}

/** Generates item ids with the prefix of their type: `msg_<suffix>_0`. */
export type IdWriter = (kind: 'msg' | 'rs' | 'fc' | 'ctc' | 'tsc' | 'ws') => string

/** Writes the parts of a model's turn as items, in order; consecutive texts are one message. */
export function writeOutputItems(parts: readonly Part[], newId: IdWriter): JsonObject[] {
  const items: Record<string, unknown>[] = []
  let message: JsonObject[] | undefined
  for (const part of parts) {
    if (part.type === 'text' || part.type === 'refusal') {
      if (message === undefined) items.push(messageItem((message = []), newId('msg')))
      message.push(part.type === 'text' ? writeOutputText(part) : { type: 'refusal', refusal: part.text })
      continue
    }
    const item = writeOutputItem(part, newId)
    if (item === undefined) continue
    message = undefined
    items.push(item)
  }
  return items
}

export function messageItem(content: readonly JsonObject[], id: string): Record<string, unknown> {
  return { id, type: 'message', role: 'assistant', status: 'completed', content }
}

export function writeOutputItem(part: Part, newId: IdWriter): Record<string, unknown> | undefined {
  if (part.type === 'tool-call') return callItem(part, newId(callPrefix(part)))
  if (part.type === 'reasoning') return reasoningItem(part, rawFor(part.id, 'responses') ?? newId('rs'))
  if (part.type === 'redacted-reasoning') {
    const id = rawFor(part.id, 'responses') ?? newId('rs')
    return { id, type: 'reasoning', summary: [], encrypted_content: packForeignValue(part.data, 'responses') }
  }
  if (part.type === 'search') return writeSearch(part, newId('ws'))
  if (part.type === 'opaque') return copied(rawFor(part.raw, 'responses'))
  if (part.type !== 'image') return undefined
  const own = rawFor(part.extras, 'responses')
  if (own !== undefined) return { ...own }
  const result = part.source.type === 'data' ? part.source.base64 : undefined
  return result === undefined
    ? undefined
    : { id: newId('msg'), type: 'image_generation_call', status: 'completed', result }
}

function copied(item: JsonObject | undefined): Record<string, unknown> | undefined {
  return item === undefined ? undefined : { ...item }
}

export function callItem(part: ToolCallPart, id: string): Record<string, unknown> {
  if (part.isToolSearch === true) return toolSearchItem(part, id)
  const { name, namespace } = part
  const head = { id, call_id: part.id, name, namespace, status: 'completed' }
  return part.kind === 'custom'
    ? { ...head, type: 'custom_tool_call', input: part.arguments }
    : { ...head, type: 'function_call', arguments: argumentsText(part) }
}

/** Prefix of the id of such an item. */
export function callPrefix({ kind, isToolSearch }: ToolCallPart): 'fc' | 'ctc' | 'tsc' {
  if (isToolSearch === true) return 'tsc'
  return kind === 'custom' ? 'ctc' : 'fc'
}

function toolSearchItem(part: ToolCallPart, id: string): Record<string, unknown> {
  const searched = parseObject(argumentsText(part)) ?? {}
  const head = { id, call_id: part.id, status: 'completed' }
  return { ...head, type: 'tool_search_call', execution: 'client', arguments: searched }
}

export function reasoningItem(part: ReasoningPart, id: string): Record<string, unknown> {
  return {
    id,
    type: 'reasoning',
    summary: part.text === '' ? [] : [{ type: 'summary_text', text: part.text }],
    encrypted_content:
      part.signature === undefined ? undefined : packForeignValue(part.signature, 'responses'),
  }
}
