import { isAt } from '../bytes-at.ts'
import { parseObject, recordAt, type JsonObject } from '../json.ts'
import { editObjectAt } from './edit-object.ts'
import { removeCost, usagePaths } from './vendor-cost.ts'

/**
 * What a call cost its caller, in currency, as decimal texts that are written into JSON as they are. The parts
 * add up to the total.
 */
export interface ReportedCost {
  readonly total: string
  readonly input: string
  readonly output: string
}

/** How the members of `cost_details` are named: OpenRouter has other names in its Responses API. */
export type CostMembers = 'chat' | 'responses'

/** Adds the cost to the usage object of a whole response. Returns the same buffer if it has none. */
export function reportInBody(body: Buffer, cost: ReportedCost, members: CostMembers): Buffer {
  return editObjectAt(body, usagePaths.body, (usage) => withCost(usage, cost, members))
}

/**
 * Adds the cost to the last usage object in the end of a stream of server-sent events. All other bytes stay as
 * they are; the result is the same list if there is no usage object.
 */
export function reportInFrames(
  frames: readonly Buffer[],
  cost: ReportedCost,
  members: CostMembers,
): readonly Buffer[] {
  // A line can be in several buffers.
  const bytes = frames.length === 1 && frames[0] !== undefined ? frames[0] : Buffer.concat(frames)
  let end = bytes.length
  while (end > 0) {
    const found = bytes.lastIndexOf(USAGE, end - 1)
    if (found === -1) return frames
    const start = found === 0 ? 0 : bytes.lastIndexOf(LF, found - 1) + 1
    const payload = payloadOf(bytes, start)
    const path = payload && pathIn(parseObject(payload.json) ?? {})
    if (payload !== undefined && path !== undefined) {
      const edited = editObjectAt(payload.json, path, (usage) => withCost(usage, cost, members))
      return [bytes.subarray(0, payload.start), edited, bytes.subarray(payload.end)]
    }
    end = start
  }
  return frames
}

const USAGE = Buffer.from('"usage"')
const DATA = Buffer.from('data:')
const LF = 0x0a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** The JSON in the data line that begins at `lineStart`; `undefined` for another line. */
function payloadOf(bytes: Buffer, lineStart: number) {
  if (!isAt(bytes, lineStart, DATA)) return undefined
  const newline = bytes.indexOf(LF, lineStart)
  const start = bytes.indexOf(OPEN_BRACE, lineStart)
  const end = bytes.lastIndexOf(CLOSE_BRACE, newline === -1 ? bytes.length - 1 : newline) + 1
  return start === -1 || end <= start ? undefined : { start, end, json: bytes.subarray(start, end) }
}

function pathIn(event: JsonObject) {
  if (recordAt(event, 'usage') !== undefined) return usagePaths.body
  const response = recordAt(event, 'response')
  return response !== undefined && recordAt(response, 'usage') !== undefined ? usagePaths.response : undefined
}

/**
 * The members of OpenRouter: https://openrouter.ai/docs/use-cases/usage-accounting. What the vendor charged is
 * not reported, so `upstream_inference_cost` is null, and the two parts are those of the caller's cost.
 */
function withCost(usage: Buffer, { total, input, output }: ReportedCost, members: CostMembers): Buffer {
  const own = removeCost(usage)
  const [inputName, outputName] = detailNames[members]
  const details = `{"upstream_inference_cost":null,"${inputName}":${input},"${outputName}":${output}}`
  const added = `"cost":${total},"cost_details":${details},"is_byok":false}`
  const end = own.lastIndexOf(CLOSE_BRACE)
  const isEmpty = own.subarray(1, end).toString('latin1').trim() === ''
  return Buffer.concat([own.subarray(0, end), Buffer.from(isEmpty ? added : `,${added}`)])
}

const detailNames: Readonly<Record<CostMembers, readonly [string, string]>> = {
  chat: ['upstream_inference_prompt_cost', 'upstream_inference_completions_cost'],
  responses: ['upstream_inference_input_cost', 'upstream_inference_output_cost'],
}
