import { checkedScan } from '@tollgate/dialects/json-limits'
import type { Member } from '@tollgate/dialects/json-scan'
import { problem } from '@tollgate/problems/problem'
import { responseNotFound } from '../response-not-found.ts'

/** A `response.create` frame, read as far as the connection needs it. */
export interface TurnFrame {
  readonly bytes: Buffer
  /** The members by name; of a repeated one the last, as `JSON.parse` would take. */
  readonly members: ReadonlyMap<string, Member>
  /** `generate: false` prepares a conversation without a response. */
  readonly isWarmUp: boolean
  /** The response that the call continues. */
  readonly previousId: string | undefined
}

const SHORT_BYTES_MAX = 1024
const LANE = /^[\w.-]{1,256}$/
const ID_CHARACTERS_MAX = 255

export type FrameMembers = Pick<TurnFrame, 'bytes' | 'members'>

/** Finds the members of a frame. Throws a Problem for a frame that is no JSON object or exceeds its limits. */
export function scanFrame(bytes: Buffer): FrameMembers {
  const { members } = checkedScan(bytes)
  return { bytes, members: new Map(members.map((member) => [member.name, member])) }
}

/** The `stream_id`; `undefined` for the lane without a name. Throws a Problem for an invalid one. */
export function laneOf(frame: FrameMembers): string | undefined {
  const lane = shortValue(frame, 'stream_id')
  if (lane === undefined || lane === null) return undefined
  if (typeof lane !== 'string' || !LANE.test(lane)) throw problem('invalid_stream_id', { param: 'stream_id' })
  return lane
}

/** Throws the Problem of a frame that is not a `response.create`. */
export function readFrame(frame: FrameMembers): TurnFrame {
  if (shortValue(frame, 'type') !== 'response.create') throw problem('websocket_event_invalid')
  const generate = shortValue(frame, 'generate') ?? true
  if (typeof generate !== 'boolean') throw problem('member_invalid', { param: 'generate' })
  return { ...frame, isWarmUp: !generate, previousId: previousIn(frame) }
}

function previousIn(frame: FrameMembers): string | undefined {
  const id = shortValue(frame, 'previous_response_id') ?? undefined
  if (id === undefined) return undefined
  if (typeof id === 'string' && id !== '' && id.length <= ID_CHARACTERS_MAX) return id
  throw responseNotFound(typeof id === 'string' ? id : '')
}

/** The value of a member that is never long; a long one, or one that is not JSON, is an empty text. */
function shortValue({ bytes, members }: FrameMembers, name: string): unknown {
  const member = members.get(name)
  if (member === undefined) return undefined
  const { valueStart, valueEnd } = member
  if (valueEnd - valueStart > SHORT_BYTES_MAX) return ''
  try {
    return JSON.parse(bytes.toString('utf8', valueStart, valueEnd))
  } catch {
    return ''
  }
}
