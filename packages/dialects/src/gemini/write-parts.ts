import { type Part, type TextPart, type ToolCallPart, isMediaPart } from '../canonical/part.ts'
import { packForeignValue } from '../canonical/packed.ts'
import { rawFor } from '../canonical/raw.ts'
import { parseTextObject } from '../json-limits.ts'
import { REDACTED_PREFIX } from './redacted.ts'
import { writeMedia } from './media.ts'

export type GeminiPart = Record<string, unknown>

/**
 * Writes parts that have the same format in requests and responses. Tool results occur only in requests and
 * are written elsewhere.
 */
export function writePart(part: Exclude<Part, { type: 'tool-result' }>): GeminiPart[] {
  if (isMediaPart(part)) return present(writeMedia(part))
  if (part.type === 'text') return writeText(part)
  if (part.type === 'refusal') return part.text === '' ? [] : [{ text: part.text }]
  if (part.type === 'tool-call') return [writeCall(part)]
  if (part.type === 'reasoning') {
    const thoughtSignature = part.signature && packForeignValue(part.signature, 'gemini')
    return [{ text: part.text, thought: true, thoughtSignature }]
  }
  if (part.type === 'redacted-reasoning')
    return [
      { text: '', thought: true, thoughtSignature: REDACTED_PREFIX + packForeignValue(part.data, 'gemini') },
    ]
  return part.type === 'opaque' ? present(rawFor(part.raw, 'gemini')) : []
}

function writeText(part: TextPart): GeminiPart[] {
  const extras = rawFor(part.extras, 'gemini')
  return part.text === '' && extras === undefined ? [] : [{ text: part.text, ...extras }]
}

function writeCall(part: ToolCallPart): GeminiPart {
  const { id, name } = part
  const thoughtSignature = part.signature && packForeignValue(part.signature, 'gemini')
  return { functionCall: { id, name, args: argumentsOf(part) }, thoughtSignature }
}

/**
 * Gemini accepts only an object as arguments. The free text of a custom tool call becomes its only member.
 */
export function argumentsOf(call: ToolCallPart): Record<string, unknown> {
  const written = call.arguments
  if (call.kind === 'custom') return { input: written }
  return parseTextObject(written) ?? (written.trim() === '' ? {} : { input: written })
}

function present(part: object | undefined): GeminiPart[] {
  return part === undefined ? [] : [{ ...part }]
}
