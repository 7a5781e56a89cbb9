import type { Raw } from '../../canonical/raw.ts'
import { recordAt, textAt, type JsonObject } from '../../json.ts'

/**
 * Where Google's own door to chat completions puts what it wants back with a call. Clients that keep unknown members send
 * it again. https://ai.google.dev/gemini-api/docs/thought-signatures. Source: spec providers 7.2.
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
