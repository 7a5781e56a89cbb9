import { callerLimits, checkedScan, parsedObject } from '../json-limits.ts'
import type { JsonObject } from '../json.ts'
import { refuseLongPromptBytes } from '../media/prompts.ts'
import { rejectSuspect, rejectSuspectTexts } from './refuse.ts'
import type { CheckedShape } from './shape.ts'

/**
 * Reads the JSON object of a submission. Throws a problem if it exceeds the limits, if a prompt is too long
 * or if a judged member has an unaccepted spelling.
 */
export function readCheckedObject(bytes: Buffer, judged: CheckedShape): JsonObject {
  const { odd, members } = checkedScan(bytes, callerLimits, judged)
  rejectSuspect(odd)
  refuseLongPromptBytes(bytes, members)
  const body = parsedObject(bytes)
  rejectSuspectTexts(body, judged)
  return body
}
