import { parseObject, recordAt } from '../json.ts'
import { HAS_ERROR, HAS_FINISH, HAS_MORE } from '../stream/delta-members.ts'
import type { FastPath } from '../pair/reader-listener.ts'

/**
 * Fast path for Gemini streams. Every frame carries cumulative usage and the last one is complete, so only
 * text matters in the frames before it.
 */
export const geminiFastPath: FastPath = {
  hasNames: false,
  sendsDataOnly: true,
  fastPath: (bytes, start, end, scan) => {
    const flags = scan.scan(bytes, start, end)
    return (flags & (HAS_ERROR | HAS_FINISH | HAS_MORE)) === 0
  },
  usageOf: (payload) => {
    const usageMetadata = recordAt(parseObject(payload) ?? {}, 'usageMetadata')
    return usageMetadata && JSON.stringify({ usageMetadata })
  },
}
