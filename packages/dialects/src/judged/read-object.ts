import { callerLimits, checkedScan, parsedObject } from '../json-limits.ts'
import type { JsonObject } from '../json.ts'
import { refuseLongPromptBytes } from '../media/prompts.ts'
import { refuseOdd, refuseOddInTexts } from './refuse.ts'
import type { JudgedShape } from './shape.ts'

/**
 * Reads the JSON object of a submission. Throws a problem if it exceeds the limits, if a prompt is too long
 * or if a judged member has an unaccepted spelling.
 */
export function readJudgedObject(bytes: Buffer, judged: JudgedShape): JsonObject {
  const { odd, members } = checkedScan(bytes, callerLimits, judged)
  refuseOdd(odd)
  refuseLongPromptBytes(bytes, members)
  const body = parsedObject(bytes)
  refuseOddInTexts(body, judged)
  return body
}
