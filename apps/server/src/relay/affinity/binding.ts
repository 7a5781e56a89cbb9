import type { RosterChannel } from '../../snapshots/snapshots.ts'
import { listKeyTags } from '../key-tags.ts'
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

export function bindingTo({ channel, keyIndex }: Choice, lifetimeMs: number): Binding {
  return { channelId: channel.id, keyTag: listKeyTags(channel)[keyIndex] ?? '', lifetimeMs }
}

/** The index of the bound key; `undefined` when the channel no longer has it. */
export function boundKey(
  channel: Pick<RosterChannel, 'id' | 'keys'>,
  { keyTag }: Binding,
): number | undefined {
  const index = listKeyTags(channel).indexOf(keyTag)
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
