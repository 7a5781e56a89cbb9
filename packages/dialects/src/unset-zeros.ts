import type { CallOperation } from './conversations.ts'
import type { Member } from './json-scan.ts'
import { spliceMembers } from './json-splice.ts'
import type { JsonObject } from './json.ts'
import { checkedMembers } from './checked/members.ts'

/**
 * Clients written for new-api send 0 for an output limit or a number of answers that is not set, and new-api
 * and its forks leave such members out; upstreams reject a 0. For no other member does 0 mean "not set".
 */
const ZERO_IS_UNSET = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'n'] as const

export interface GivenBody {
  readonly body: JsonObject
  readonly bytes: Buffer
  readonly members: readonly Member[]
}

/** Removes these members if they are 0 and the operation knows them; all other bytes stay unchanged. */
export function withoutUnsetZeros(operation: CallOperation, given: GivenBody): GivenBody {
  const { body, bytes, members } = given
  if (!ZERO_IS_UNSET.some((name) => body[name] === 0)) return given
  const remove = ZERO_IS_UNSET.filter(
    (name) => body[name] === 0 && checkedMembers[operation].exactly(name) !== undefined,
  )
  if (remove.length === 0) return given
  const removed: ReadonlySet<string> = new Set(remove)
  const kept = Object.entries(body).filter(([name]) => !removed.has(name))
  return { body: Object.fromEntries(kept), ...spliceMembers(bytes, { set: {}, remove, members }) }
}
