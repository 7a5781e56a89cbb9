import { isAt } from '../bytes-at.ts'
import type { FastPath } from '../pair/reader-listener.ts'

/** Texts inside an event have their quotation marks escaped. */
const NUMBER = /"sequence_number"\s*:\s*(\d{1,9})/

/** Events that only continue an open text. */
const DELTAS = [
  'response.output_text.delta',
  'response.function_call_arguments.delta',
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
  'response.refusal.delta',
  'response.custom_tool_call_input.delta',
].map((type) => Buffer.from(`{"type":"${type}"`))

/**
 * Fast path for OpenAI's own formatting, in which `type` is the first member. Events in any other formatting
 * are all parsed.
 */
export const responsesFastPath: FastPath = {
  hasNames: true,
  numberOf: (payload) => {
    const number = NUMBER.exec(payload)?.[1]
    return number === undefined ? undefined : Number(number)
  },
  fastPath: (bytes, start, end, scan) => {
    // Only delta events are ever scanned here, so an event that matches the previous one is a delta too.
    if (scan.repeated(bytes, start, end) !== undefined) return true
    for (const delta of DELTAS) {
      if (!isAt(bytes, start, delta)) continue
      scan.scan(bytes, start, end)
      return true
    }
    return false
  },
}
