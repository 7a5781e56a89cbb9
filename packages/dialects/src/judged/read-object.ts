import { callerLimits, checkedScan, parsedObject } from '../json-limits.ts'
import type { JsonObject } from '../json.ts'
import { refuseOdd, refuseOddInTexts } from './refuse.ts'
import type { JudgedShape } from './shape.ts'

/** A caller's JSON object within the limits and without an odd spelling of a judged member. Throws a problem. */
export function readJudgedObject(bytes: Buffer, judged: JudgedShape): JsonObject {
  const { odd } = checkedScan(bytes, callerLimits, judged)
  const body = parsedObject(bytes)
  refuseOdd(odd)
  refuseOddInTexts(body, judged)
  return body
}
