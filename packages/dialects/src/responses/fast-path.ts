import { isAt } from '../bytes-at.ts'
import type { FastPath } from '../pair/reader-listener.ts'

/** Events that only bring more of a text that is open. */
const DELTAS = [
  'response.output_text.delta',
  'response.function_call_arguments.delta',
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
  'response.refusal.delta',
  'response.custom_tool_call_input.delta',
].map((type) => Buffer.from(`{"type":"${type}"`))

/** As the vendor writes its events, the type first. Others who write them otherwise are read frame by frame. */
export const responsesFastPath: FastPath = {
  hasNames: true,
  fastPath: (bytes, start, end, scan) => {
    // Only deltas are scanned here, so that what is like the one before is one too.
    if (scan.repeated(bytes, start, end) !== undefined) return true
    for (const delta of DELTAS) {
      if (!isAt(bytes, start, delta)) continue
      scan.scan(bytes, start, end)
      return true
    }
    return false
  },
}
