import { channelKeyHash } from '@tollgate/store/channels/keys'
import type { RosterChannel } from '../snapshots/snapshots.ts'

const TAG_CHARACTERS = 12
const tags = new WeakMap<readonly string[], readonly string[]>()

/** The tags of a channel's keys, which identify each within its channel; computed once for each list of keys. */
export function listKeyTags({ id, keys }: Pick<RosterChannel, 'id' | 'keys'>): readonly string[] {
  const cachedTags = tags.get(keys)
  if (cachedTags !== undefined) return cachedTags
  const computed = keys.map((key) => channelKeyHash(id, key).slice(0, TAG_CHARACTERS))
  tags.set(keys, computed)
  return computed
}
