import type { Call } from '../call.ts'
import { clientOf } from '../sessions/client.ts'

/** A request member that was taken out, or that nobody knows, since the figures were last taken. */
export interface SeenMember {
  readonly kind: 'unknown' | 'taken'
  readonly wire: string
  readonly member: string
  readonly channel_id: number
  client: string
  client_version: string
  passed: number
  taken: number
}

interface SightedCall {
  readonly call: Pick<Call, 'request' | 'taken'>
  readonly wire: string
  readonly channelId: number
  /** Paths of members that nobody knows. */
  readonly unknown: readonly string[]
}

/** Callers choose the names, so there are few places. */
const SEEN_MAX = 200
const MEMBER_CHARACTERS_MAX = 64

/** Counts members that were taken out or that nobody knows, by channel, until the figures are taken. */
export class MemberSightings {
  #seen = new Map<string, SeenMember>()

  note({ call, wire, channelId, unknown }: SightedCall): void {
    const client = clientOf(call.request.headers['user-agent'])
    const out = new Set(call.taken)
    const add = (kind: SeenMember['kind'], path: string) => {
      const member = path.slice(0, MEMBER_CHARACTERS_MAX).replaceAll(/[^\x21-\x7e]/g, '?')
      const key = `${kind} ${wire} ${member} ${channelId}`
      let row = this.#seen.get(key)
      if (row === undefined) {
        if (this.#seen.size >= SEEN_MAX) return
        row = {
          kind,
          wire,
          member,
          channel_id: channelId,
          client: '',
          client_version: '',
          passed: 0,
          taken: 0,
        }
        this.#seen.set(key, row)
      }
      row.client = client.name
      row.client_version = client.version
      if (out.has(path)) row.taken++
      else row.passed++
    }
    const unknowns = new Set(unknown)
    for (const path of unknowns) add('unknown', path)
    for (const path of out) if (!unknowns.has(path)) add('taken', path)
  }

  /** Notes the members of a task or of the frames of a session, once it has reached a channel. */
  noteSeen(
    call: Pick<Call, 'request' | 'taken' | 'unknownMembers'>,
    place: Pick<SightedCall, 'wire' | 'channelId'>,
  ): void {
    const { unknownMembers: unknown, taken } = call
    if (unknown.length + taken.length > 0) this.note({ call, ...place, unknown })
  }

  take(): readonly SeenMember[] {
    const taken = [...this.#seen.values()]
    this.#seen = new Map()
    return taken
  }
}
