import { callerLimits, parsedObject, rejectExceeded } from '../json-limits.ts'
import { findShape } from '../checked/shapes.ts'
import { rejectSuspect } from '../checked/refuse.ts'
import { takeOut, type MemberPolicy } from '../checked/take-out.ts'
import type { JudgedNames } from '../checked/findings.ts'
import { scanObject, type Member, type ObjectScan } from '../json-scan.ts'
import { parseObject, textAt, type JsonObject } from '../json.ts'

/** Audio in longer frames is not parsed. */
const SHORT_BYTES = 64 * 1024

/** The contents of a caller's frame that matter for counting, and what its members are. */
export interface CallerFrame {
  readonly event: JsonObject
  /** Number of base64 characters in `audio`, which is itself not kept. */
  readonly soundCharacters: number
  readonly bytes: Buffer
  readonly scan: ObjectScan
}

/**
 * Reads a frame of a caller, with the same JSON limits as a request body. In long frames the audio is
 * measured in place instead of being parsed. Returns `undefined` if the frame is not JSON; throws a problem
 * beyond the limits.
 */
export function readCallerFrame(bytes: Buffer): CallerFrame | undefined {
  const scan = scanObject(bytes, callerLimits, findShape('realtime-frame'))
  rejectExceeded(scan, callerLimits)
  const sound = bytes.length > SHORT_BYTES ? scan.members.findLast(({ name }) => name === 'audio') : undefined
  if (sound === undefined) {
    const event = parseObject(bytes)
    return event && { event, soundCharacters: textAt(event, 'audio')?.length ?? 0, bytes, scan }
  }
  if (scan.close < 0) return undefined
  const others = scan.members.filter(({ name }) => name !== 'audio')
  const event = Object.fromEntries(others.map((member) => [member.name, valueOf(bytes, member)]))
  return { event, soundCharacters: Math.max(0, sound.valueEnd - sound.valueStart - 2), bytes, scan }
}

/**
 * The frame without the members that may not reach an upstream. Throws a problem for an odd member, and for an
 * unknown one where those are refused.
 */
export function keepFrameMembers(
  frame: CallerFrame,
  policy: MemberPolicy,
): { readonly frame: CallerFrame; readonly names: JudgedNames | undefined } {
  const { odd, findings, members } = frame.scan
  rejectSuspect(odd)
  if (findings === undefined) return { frame, names: undefined }
  const { bytes, names } = takeOut({ bytes: frame.bytes, members, findings }, policy)
  const kept = bytes === frame.bytes ? frame : readCallerFrame(bytes)
  return { frame: kept ?? frame, names }
}

/** Whether the frame asks the upstream for an answer. */
export function isAnswerRequest({ event }: CallerFrame): boolean {
  return event['type'] === 'response.create'
}

function valueOf(bytes: Buffer, { valueStart, valueEnd }: Member): unknown {
  return parsedObject(Buffer.concat([HEAD, bytes.subarray(valueStart, valueEnd), TAIL]))['']
}

const HEAD = Buffer.from('{"":')
const TAIL = Buffer.from('}')
