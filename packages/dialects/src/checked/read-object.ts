import { callerLimits, checkedScan, parsedObject } from '../json-limits.ts'
import type { JsonObject } from '../json.ts'
import { refuseLongPromptBytes } from '../media/prompts.ts'
import { rejectSuspect, rejectSuspectTexts } from './refuse.ts'
import type { CheckedShape } from './shape.ts'
import { takeOut, type MemberPolicy } from './take-out.ts'
import type { JudgedNames } from './findings.ts'

/**
 * Reads the JSON object of a submission. Throws a problem if it exceeds the limits, if a prompt is too long
 * or if a judged member has an unaccepted spelling.
 */
export function readCheckedObject(
  bytes: Buffer,
  judged: CheckedShape,
  policy: MemberPolicy,
): { readonly body: JsonObject; readonly bytes: Buffer; readonly names: JudgedNames | undefined } {
  const { odd, members, findings } = checkedScan(bytes, callerLimits, judged)
  rejectSuspect(odd)
  refuseLongPromptBytes(bytes, members)
  const body = parsedObject(bytes)
  rejectSuspectTexts(body, judged)
  if (findings === undefined) return { body, bytes, names: undefined }
  const kept = takeOut({ bytes, members, findings }, policy)
  return { ...kept, body: kept.bytes === bytes ? body : parsedObject(kept.bytes) }
}
