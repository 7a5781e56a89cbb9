import type { OwnerEntry, RosterChannel, TokenEntry } from '../../../snapshots/snapshots.ts'

/** An authenticated caller: the owner pays, together with the token's account when there is a token. */
export interface Caller {
  readonly owner: OwnerEntry
  /** `undefined` in the playground, where only the owner's account is charged. */
  readonly token: TokenEntry | undefined
  /** Of the key that the caller has shown. */
  readonly keyHash?: string
  /** The channel that an administrator chose with `sk-KEY-CHANNELID`. */
  readonly pinned: RosterChannel | undefined
  /** The client's address as determined after trusted proxies. */
  readonly address: string
}
