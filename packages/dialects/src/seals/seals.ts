import type { JsonObject } from '../json.ts'
import { chatSeals } from './chat-seals.ts'
import { geminiSeals } from './gemini-seals.ts'
import { messageSeals } from './message-seals.ts'
import { responseSeals } from './response-seals.ts'
import type { SealFormat } from './seal-format.ts'

const formats: Readonly<Record<string, SealFormat>> = {
  chat: chatSeals,
  messages: messageSeals,
  responses: responseSeals,
  compact: responseSeals,
  generate: geminiSeals,
}

/** The form of seals in the bodies of an operation; `undefined` where bodies have none. */
export function findSealFormat(operation: string): SealFormat | undefined {
  return Object.hasOwn(formats, operation) ? formats[operation] : undefined
}

/** All seals of a body, each once. */
export function listSeals(operation: string, body: JsonObject): readonly string[] {
  const format = findSealFormat(operation)
  if (format === undefined) return NO_SEALS
  let seals: Set<string> | undefined
  format.visit(body, (seal) => (seals ??= new Set()).add(seal))
  return seals === undefined ? NO_SEALS : [...seals]
}

const NO_SEALS: readonly string[] = []
