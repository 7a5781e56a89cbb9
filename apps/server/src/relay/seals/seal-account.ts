import type { RosterChannel } from '../../snapshots/snapshots.ts'
import { listKeyTags } from '../key-tags.ts'

export type SealingChannel = Pick<RosterChannel, 'id' | 'keys' | 'settings'>

/**
 * Names the account behind a key of a channel: the operator's label, which several channels and keys may share,
 * else the key itself.
 */
export function findSealAccount(channel: SealingChannel, keyIndex: number): string {
  const tag = listKeyTags(channel)[keyIndex] ?? ''
  const { account, keyAccounts } = channel.settings
  const label = keyAccounts.get(tag) ?? account
  return label === undefined ? `${channel.id}/${tag}` : `@${label}`
}

/** The keys of a channel that belong to an account, by index. */
export function listKeysOfAccount(channel: SealingChannel, account: string): readonly number[] {
  return channel.keys.flatMap((_key, index) => (findSealAccount(channel, index) === account ? [index] : []))
}
