import { scanObject } from '../json-scan.ts'

/**
 * Replaces the object at `path` in the JSON `payload`, such as `['response', 'usage']`, and leaves all other
 * bytes as they are. Returns the same buffer if there is no object at the path, or if `edit` returns its own.
 */
export function editObjectAt(
  payload: Buffer,
  path: readonly string[],
  edit: (object: Buffer) => Buffer,
): Buffer {
  const [name, ...deeper] = path
  if (name === undefined) return payload[0] === OPEN_BRACE ? edit(payload) : payload
  const member = scanObject(payload).members.findLast((each) => each.name === name)
  if (member === undefined) return payload
  const value = payload.subarray(member.valueStart, member.valueEnd)
  const edited = editObjectAt(value, deeper, edit)
  if (edited === value) return payload
  return Buffer.concat([payload.subarray(0, member.valueStart), edited, payload.subarray(member.valueEnd)])
}

const OPEN_BRACE = 0x7b
