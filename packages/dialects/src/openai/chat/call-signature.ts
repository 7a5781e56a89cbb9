import type { Raw } from '../../canonical/raw.ts'
import { recordAt, textAt, type JsonObject } from '../../json.ts'

/**
 * Google's OpenAI-compatible API puts a call's thought signature here and needs it back with the call.
 * Clients that keep unknown members send it back. https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export function readCallSignature(call: JsonObject): Raw<string> | undefined {
  const google = recordAt(recordAt(call, 'extra_content') ?? {}, 'google') ?? {}
  const value = textAt(google, 'thought_signature')
  return value === undefined ? undefined : { dialect: 'gemini', value }
}

export function writeCallSignature(signature: Raw<string> | undefined): JsonObject {
  if (signature?.dialect !== 'gemini') return {}
  return { extra_content: { google: { thought_signature: signature.value } } }
}
