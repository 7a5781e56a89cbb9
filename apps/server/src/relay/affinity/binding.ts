import { channelKeyHash } from '@tollgate/store/channels/keys'
import type { RosterChannel } from '../../snapshots/snapshots.ts'
import type { Choice } from '../stations/route/choice.ts'

/** The channel and key that served a session last, where the upstream's cache has its prompts. */
export interface Binding {
  readonly channelId: number
  /** Identifies the key even when others are added before it. */
  readonly keyTag: string
  /** How long the binding lasts without another call. */
  readonly lifetimeMs: number
}

/** The bindings of a session, by group. */
export type Bindings = ReadonlyMap<string, Binding>

export interface BindingPlace {
  readonly group: string
  readonly model: string
}

const TAG_CHARACTERS = 12
const tags = new WeakMap<readonly string[], readonly string[]>()

/** The tags of a channel's keys, computed once for each list of keys. */
function tagsOf({ id, keys }: Pick<RosterChannel, 'id' | 'keys'>): readonly string[] {
  const known = tags.get(keys)
  if (known !== undefined) return known
  const computed = keys.map((key) => channelKeyHash(id, key).slice(0, TAG_CHARACTERS))
  tags.set(keys, computed)
  return computed
}

export function bindingTo({ channel, keyIndex }: Choice, lifetimeMs: number): Binding {
  return { channelId: channel.id, keyTag: tagsOf(channel)[keyIndex] ?? '', lifetimeMs }
}

/** The index of the bound key; `undefined` when the channel no longer has it. */
export function boundKey(
  channel: Pick<RosterChannel, 'id' | 'keys'>,
  { keyTag }: Binding,
): number | undefined {
  const index = tagsOf(channel).indexOf(keyTag)
  return index < 0 ? undefined : index
}

export function isBoundTo(binding: Binding | undefined, { channel, keyIndex }: Choice): boolean {
  return binding?.channelId === channel.id && boundKey(channel, binding) === keyIndex
}

export function isSameBinding(one: Binding | undefined, other: Binding): boolean {
  if (one === undefined || one.channelId !== other.channelId) return false
  return one.keyTag === other.keyTag && one.lifetimeMs === other.lifetimeMs
}

export function bindingText({ channelId, keyTag, lifetimeMs }: Binding): string {
  return `${channelId} ${keyTag} ${lifetimeMs}`
}

/** `undefined` for a text that another version of the gateway may have written. */
export function readBinding(text: string): Binding | undefined {
  const [, channelId, keyTag = '', lifetimeMs] = /^(\d{1,15}) ([0-9a-f]{12}) (\d{1,12})$/.exec(text) ?? []
  if (channelId === undefined) return undefined
  return { channelId: Number(channelId), keyTag, lifetimeMs: Number(lifetimeMs) }
}
