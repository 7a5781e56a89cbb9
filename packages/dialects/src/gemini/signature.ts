import { packForeignValue, unpackForeignValue } from '../canonical/packed.ts'
import type { Raw } from '../canonical/raw.ts'

/**
 * Marks redacted reasoning in the signature field. Gemini has none, so it is written as a thought with an empty
 * text.
 */
const REDACTED_PREFIX = 'sealed:'

/**
 * Documented placeholder for a signature that is missing:
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const NO_SIGNATURE = 'skip_thought_signature_validator'

/** What the field `thoughtSignature` of a part carries. */
export interface ThoughtSignature {
  readonly value: Raw<string>
  /** Whether it is redacted reasoning, instead of a proof for a text. */
  readonly isRedacted: boolean
}

/**
 * Writes a `thoughtSignature`. The protocol declares bytes, which every library of Google decodes: Gemini's own
 * values are written as they came, and another vendor's are packed and encoded.
 */
export function writeThoughtSignature({ value, isRedacted }: ThoughtSignature): string {
  if (value.dialect === 'gemini' && !isRedacted) return value.value
  const text = packForeignValue(value, 'gemini')
  return Buffer.from(isRedacted ? REDACTED_PREFIX + text : text).toString('base64')
}

/**
 * Reads a `thoughtSignature` in either base64 alphabet, and also what versions before 0.2 wrote: the packed text
 * itself.
 */
export function readThoughtSignature(text: string | undefined): ThoughtSignature | undefined {
  if (text === undefined) return undefined
  const packed = unpackText(text)
  const isRedacted = packed.startsWith(REDACTED_PREFIX)
  const value = unpackForeignValue(isRedacted ? packed.slice(REDACTED_PREFIX.length) : packed, 'gemini')
  return value && { value, isRedacted }
}

/** Whether a signature was written by this gateway for another vendor; Google would refuse it. */
export function isForeignSignature(text: string): boolean {
  return PACKED.test(unpackText(text))
}

const PACKED = /^(?:sealed:|(?:openai|responses|anthropic|gemini):)/
/** Enough characters to decode the longest beginning of {@link PACKED}. */
const HEAD_CHARACTERS = 16

/** Own signatures can be long, so only the beginning of one is decoded. */
function unpackText(text: string): string {
  if (!PACKED.test(Buffer.from(text.slice(0, HEAD_CHARACTERS), 'base64').toString())) return text
  return Buffer.from(text, 'base64').toString()
}
