import { channelsOf } from '../../snapshots/roster.ts'
import type { Held } from '../stations/hold/held.ts'
import { boundKey } from './binding.ts'

/**
 * `bound`: the session's channel and key served the call. `moved`: it was bound, and another one served.
 * `new`: it was not bound.
 */
export type AffinityResult = 'bound' | 'moved' | 'new'

/** What affinity did for a call that ended; `undefined` for a call that has none. */
export function affinityResult({
  affinity,
  group,
  call,
  candidates,
}: Pick<Held, 'affinity' | 'group' | 'call' | 'candidates'>): AffinityResult | undefined {
  const last = call.trail.at(-1)
  if (affinity === undefined || last === undefined) return undefined
  if (affinity.bindings.size === 0) return 'new'
  const binding = affinity.bindings.get(group)
  const channel = channelsOf(candidates).find(({ id }) => id === last.channelId)
  const isSame = binding !== undefined && binding.channelId === last.channelId && channel !== undefined
  return isSame && boundKey(channel, binding) === last.keyIndex ? 'bound' : 'moved'
}
