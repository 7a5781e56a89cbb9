import { NO_SIGNATURE, readThoughtSignature } from '../gemini/signature.ts'
import { recordsAt, textAt, type JsonObject } from '../json.ts'
import { editList } from './edit-list.ts'
import type { SealFormat } from './seal-format.ts'

/** Signatures of thoughts and of calls. A call needs one, so the documented placeholder takes its place. */
export const geminiSeals: SealFormat = {
  visit: (body, visit) => {
    for (const turn of recordsAt(body, 'contents'))
      for (const part of recordsAt(turn, 'parts')) {
        const seal = readSeal(part)
        if (seal !== undefined) visit(seal)
      }
  },
  remove: (body, isRemoved) =>
    editList(body, 'contents', (turn) =>
      editList(turn, 'parts', (part) => {
        const seal = readSeal(part)
        return seal !== undefined && isRemoved(seal) ? unsigned(part) : part
      }),
    ),
}

function readSeal(part: JsonObject): string | undefined {
  const text = textAt(part, 'thoughtSignature')
  return text === NO_SIGNATURE ? undefined : readThoughtSignature(text)?.value.value
}

function unsigned({ thoughtSignature: _signature, ...part }: JsonObject): JsonObject | undefined {
  if (Object.hasOwn(part, 'functionCall')) return { ...part, thoughtSignature: NO_SIGNATURE }
  // What is left of a part that held a seal and nothing else.
  return Object.keys(part).every((name) => name === 'thought' || part[name] === '') ? undefined : part
}
