import type { OwnerEntry, RosterChannel, TokenEntry } from '../../snapshots/snapshots.ts'

/** Who is calling, once they have shown it: the owner pays, with the token's account beside when there is one. */
export interface Caller {
  readonly owner: OwnerEntry
  /** `undefined` in the playground: only the owner's account is used. */
  readonly token: TokenEntry | undefined
  /** The channel an administrator asked for with `sk-KEY-CHANNELID`. */
  readonly pinned: RosterChannel | undefined
  /** The client's address after trusted proxies. */
  readonly address: string
}
