import { spellingIn } from '@tollgate/dialects/gemini/members'
import { isForeignSignature, NO_SIGNATURE } from '@tollgate/dialects/gemini/signature'
import { isRecord, type JsonObject } from '@tollgate/dialects/json'
import type { RequestQuirk } from '../provider.ts'
import { traitsFor } from './body.ts'

const MEMBER = 'thoughtSignature'

/**
 * Takes out signatures that this gateway packed for another vendor: a caller that changes the model sends them
 * along, and Google refuses what it did not sign. Redacted reasoning is nothing but its signature and leaves
 * with it.
 */
export const geminiSignatures: RequestQuirk = (outgoing) => {
  const { body, dropped = [] } = outgoing
  const contents: unknown = body['contents']
  if (!Array.isArray(contents) || !contents.some(hasForeign)) return outgoing
  const signsCalls = traitsFor(outgoing).signsCalls === true
  const kept = contents
    .map((content: unknown) =>
      isRecord(content) && hasForeign(content) ? unsigned(content, signsCalls) : content,
    )
    .filter((content) => content !== undefined)
  return { ...outgoing, body: { ...body, contents: kept }, dropped: [...dropped, MEMBER] }
}

function hasForeign(content: unknown): boolean {
  const parts = isRecord(content) ? content['parts'] : undefined
  return Array.isArray(parts) && parts.some((part) => isRecord(part) && isForeign(part))
}

function isForeign(part: JsonObject): boolean {
  const signature = part[spellingIn(part, MEMBER)]
  return typeof signature === 'string' && isForeignSignature(signature)
}

/** Returns `undefined` if nothing is left of a turn. */
function unsigned(content: JsonObject, signsCalls: boolean): JsonObject | undefined {
  const parts = Array.isArray(content['parts']) ? content['parts'] : []
  const firstCall: unknown = parts.find((part) => isRecord(part) && isCall(part))
  const kept = parts.flatMap((part: unknown) => {
    if (!isRecord(part) || !isForeign(part)) return [part]
    const { [spellingIn(part, MEMBER)]: _foreign, ...rest } = part
    if (isCall(part)) return [part === firstCall && signsCalls ? { ...rest, [MEMBER]: NO_SIGNATURE } : rest]
    // A thought without Gemini's signature would be read as a text of the answer.
    return part['thought'] === true ? [] : [rest]
  })
  return kept.length === 0 ? undefined : { ...content, parts: kept }
}

function isCall(part: JsonObject): boolean {
  return isRecord(part[spellingIn(part, 'functionCall')])
}
