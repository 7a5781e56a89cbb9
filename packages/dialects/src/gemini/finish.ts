import { ownValue } from '@tollgate/kit/own-value'
import type { ChoiceEnd, EndReason } from '../canonical/reply.ts'

/** https://ai.google.dev/api/generate-content#FinishReason */
const reasons: Readonly<Record<string, EndReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'filtered',
  RECITATION: 'filtered',
  LANGUAGE: 'filtered',
  BLOCKLIST: 'filtered',
  PROHIBITED_CONTENT: 'filtered',
  SPII: 'filtered',
  IMAGE_SAFETY: 'filtered',
  IMAGE_PROHIBITED_CONTENT: 'filtered',
  IMAGE_RECITATION: 'filtered',
  MODEL_ARMOR: 'filtered',
}

/** Reasons for which Gemini withholds an answer without any fault of the caller. */
const WITHHELD: ReadonlySet<string> = new Set([
  'OTHER',
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'IMAGE_OTHER',
  'NO_IMAGE',
])

/** Gemini ends an answer that calls tools with `STOP`. */
export function readFinish(
  raw: string,
  { hasCalls, message }: { hasCalls: boolean; message: string | undefined },
): ChoiceEnd {
  const reason = ownValue(reasons, raw)
  const isCalling = hasCalls && (reason === 'stop' || reason === undefined)
  const otherwise = WITHHELD.has(raw) ? 'filtered' : 'other'
  const detail =
    message === undefined ? undefined : { dialect: 'gemini' as const, value: { finishMessage: message } }
  return { reason: isCalling ? 'tool-calls' : (reason ?? otherwise), raw, detail }
}

const words: Readonly<Record<EndReason, string>> = {
  stop: 'STOP',
  'stop-sequence': 'STOP',
  'tool-calls': 'STOP',
  paused: 'STOP',
  length: 'MAX_TOKENS',
  'context-full': 'MAX_TOKENS',
  refusal: 'SAFETY',
  filtered: 'SAFETY',
  other: 'OTHER',
}

/** Uses the original Gemini value if there was one. */
export function writeFinish({ reason, raw }: ChoiceEnd): string {
  const original = ownValue(reasons, raw)
  const isKept = original === reason || (original !== undefined && reason === 'tool-calls')
  return isKept ? raw : words[reason]
}
