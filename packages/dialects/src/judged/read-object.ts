import { callerLimits, checkedScan, parsedObject } from '../json-limits.ts'
import type { JsonObject } from '../json.ts'
import { refuseLongPromptBytes } from '../media/prompts.ts'
import { refuseOdd, refuseOddInTexts } from './refuse.ts'
import type { JudgedShape } from './shape.ts'

/**
 * The JSON object of a submission, within the limits, with prompts of a bounded length and without an odd spelling of a
 * judged member. Throws a problem.
 */
export function readJudgedObject(bytes: Buffer, judged: JudgedShape): JsonObject {
  const { odd, members } = checkedScan(bytes, callerLimits, judged)
  refuseOdd(odd)
  refuseLongPromptBytes(bytes, members)
  const body = parsedObject(bytes)
  refuseOddInTexts(body, judged)
  return body
}
