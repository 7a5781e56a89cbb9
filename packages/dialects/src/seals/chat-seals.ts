import { NO_SIGNATURE } from '../gemini/signature.ts'
import { listAt, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import { editList } from './edit-list.ts'
import type { SealFormat } from './seal-format.ts'

/** Signatures in `reasoning_details`, and Google's signatures of calls. */
export const chatSeals: SealFormat = {
  visit: (body, visit) => {
    for (const message of recordsAt(body, 'messages')) {
      if (message['role'] !== 'assistant') continue
      for (const detail of recordsAt(message, 'reasoning_details')) visitText(readDetail(detail), visit)
      for (const call of recordsAt(message, 'tool_calls')) visitText(readCall(call), visit)
    }
  },
  remove: (body, isRemoved) =>
    editList(body, 'messages', (message) => {
      if (message['role'] !== 'assistant') return message
      const detailed = editList(message, 'reasoning_details', (detail) =>
        isSealed(readDetail(detail), isRemoved) ? undefined : detail,
      )
      const rest =
        detailed !== message && listAt(detailed, 'reasoning_details').length === 0
          ? withoutDetails(detailed)
          : detailed
      return editList(rest, 'tool_calls', (call) =>
        isSealed(readCall(call), isRemoved) ? withPlaceholder(call) : call,
      )
    }),
}

function visitText(seal: string | undefined, visit: (seal: string) => void): void {
  if (seal !== undefined) visit(seal)
}

function isSealed(seal: string | undefined, isRemoved: (seal: string) => boolean): boolean {
  return seal !== undefined && isRemoved(seal)
}

function readDetail(detail: JsonObject): string | undefined {
  return textAt(detail, detail['type'] === 'reasoning.encrypted' ? 'data' : 'signature')
}

function readCall(call: JsonObject): string | undefined {
  const google = recordAt(recordAt(call, 'extra_content') ?? {}, 'google')
  const seal = google && textAt(google, 'thought_signature')
  return seal === NO_SIGNATURE ? undefined : seal
}

function withPlaceholder(call: JsonObject): JsonObject {
  const extra = recordAt(call, 'extra_content')
  return { ...call, extra_content: { ...extra, google: { thought_signature: NO_SIGNATURE } } }
}

function withoutDetails({ reasoning_details: _details, ...message }: JsonObject): JsonObject {
  return message
}
