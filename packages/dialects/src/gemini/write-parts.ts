import { type Part, type TextPart, type ToolCallPart, isMediaPart } from '../canonical/part.ts'
import { rawFor, type Raw } from '../canonical/raw.ts'
import { parseTextObject } from '../json-limits.ts'
import { writeMedia } from './media.ts'
import { writeThoughtSignature } from './signature.ts'

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
    return [{ text: part.text, thought: true, thoughtSignature: signatureOf(part) }]
  }
  if (part.type === 'redacted-reasoning')
    return [{ text: '', thought: true, thoughtSignature: writeRedacted(part.data) }]
  return part.type === 'opaque' ? present(rawFor(part.raw, 'gemini')) : []
}

function writeText(part: TextPart): GeminiPart[] {
  const extras = rawFor(part.extras, 'gemini')
  return part.text === '' && extras === undefined ? [] : [{ text: part.text, ...extras }]
}

function writeCall(part: ToolCallPart): GeminiPart {
  const { id, name } = part
  return { functionCall: { id, name, args: argumentsOf(part) }, thoughtSignature: signatureOf(part) }
}

function signatureOf({ signature }: { readonly signature?: Raw<string> | undefined }): string | undefined {
  return signature && writeThoughtSignature({ value: signature, isRedacted: false })
}

function writeRedacted(value: Raw<string>): string {
  return writeThoughtSignature({ value, isRedacted: true })
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
