import { callerLimits, parsedObject, refuseBeyond } from '../json-limits.ts'
import { scanObject, type Member } from '../json-scan.ts'
import { parseObject, textAt, type JsonObject } from '../json.ts'

/** Sound of longer frames is not parsed. */
const SHORT_BYTES = 64 * 1024

/** What a caller's frame says, as far as it is counted. */
export interface CallerFrame {
  readonly event: JsonObject
  /** Characters of base64 in `audio`, which is not kept. */
  readonly soundCharacters: number
}

/**
 * Reads a frame of a caller, which has the limits of all JSON of callers. Sound of long ones is measured where it stands
 * instead of being parsed. `undefined` for what is no JSON; throws a problem beyond the limits.
 */
export function readCallerFrame(bytes: Buffer): CallerFrame | undefined {
  const scan = scanObject(bytes, callerLimits)
  refuseBeyond(scan, callerLimits)
  const sound = bytes.length > SHORT_BYTES ? scan.members.findLast(({ name }) => name === 'audio') : undefined
  if (sound === undefined) {
    const event = parseObject(bytes)
    return event && { event, soundCharacters: textAt(event, 'audio')?.length ?? 0 }
  }
  if (scan.close < 0) return undefined
  const others = scan.members.filter(({ name }) => name !== 'audio')
  const event = Object.fromEntries(others.map((member) => [member.name, valueOf(bytes, member)]))
  return { event, soundCharacters: Math.max(0, sound.valueEnd - sound.valueStart - 2) }
}

function valueOf(bytes: Buffer, { valueStart, valueEnd }: Member): unknown {
  return parsedObject(Buffer.concat([HEAD, bytes.subarray(valueStart, valueEnd), TAIL]))['']
}

const HEAD = Buffer.from('{"":')
const TAIL = Buffer.from('}')
