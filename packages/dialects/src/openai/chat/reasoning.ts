import { ownValue } from '@tollgate/kit/own-value'
import type { Part } from '../../canonical/part.ts'
import { rawFor, type DialectName, type Raw } from '../../canonical/raw.ts'
import { recordsAt, textAt, type JsonObject } from '../../json.ts'

/**
 * The official dialect has no reasoning. Vendors send its text as `reasoning_content` or `reasoning`;
 * reasoning that the vendor needs back, signed or encrypted, is carried in `reasoning_details`, in
 * OpenRouter's format. https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
export function readReasoning(message: JsonObject): readonly Part[] {
  const details = recordsAt(message, 'reasoning_details').flatMap(readDetail)
  if (details.length > 0) return details
  const text = textAt(message, 'reasoning_content') ?? textAt(message, 'reasoning')
  return text === undefined ? [] : [{ type: 'reasoning', text }]
}

/** Dialect of a detail, by its `format`. */
const dialects: Readonly<Record<string, DialectName>> = {
  'anthropic-claude-v1': 'anthropic',
  'google-gemini-v1': 'gemini',
  'openai-responses-v1': 'responses',
}
const formats = new Map(Object.entries(dialects).map(([format, dialect]) => [dialect, format]))

function readDetail(detail: JsonObject): readonly Part[] {
  const format = textAt(detail, 'format') ?? ''
  const dialect = ownValue(dialects, format)
  const type = textAt(detail, 'type')
  const rawId = textAt(detail, 'id')
  const id = rawId === undefined || dialect === undefined ? undefined : { dialect, value: rawId }
  if (type === 'reasoning.encrypted') {
    const data = textAt(detail, 'data')
    if (data === undefined || dialect === undefined) return []
    return [{ type: 'redacted-reasoning', data: { dialect, value: data }, id }]
  }
  const isSummary = type === 'reasoning.summary' ? true : undefined
  const text = textAt(detail, 'text') ?? textAt(detail, 'summary') ?? ''
  const value = textAt(detail, 'signature')
  const signature = value === undefined || dialect === undefined ? undefined : { dialect, value }
  if (text === '' && signature === undefined) return []
  return [{ type: 'reasoning', text, signature, isSummary, id }]
}

/** Writes the detail for a part that the vendor needs back; `undefined` for plain text. */
export function reasoningDetail(part: Part, index: number): JsonObject | undefined {
  if (part.type === 'redacted-reasoning') {
    return { type: 'reasoning.encrypted', data: part.data.value, ...markOf(part.data, part.id), index }
  }
  if (part.type !== 'reasoning' || part.signature === undefined) return undefined
  const { signature, text, id } = part
  return { type: 'reasoning.text', text, signature: signature.value, ...markOf(signature, id), index }
}

function markOf(made: Raw<string>, id: Raw<string> | undefined): JsonObject {
  const { dialect } = made
  return { format: formats.get(dialect) ?? 'unknown', id: rawFor(id, dialect) }
}
