import type { PeriodKind } from '@tollgate/kit/calendar-period'
import type { CostRatios } from '@tollgate/billing/cost'
import type { PriceBookData } from '@tollgate/billing/price-book'
import type { ChannelSettings } from '@tollgate/providers/channel-settings'
import type { Override } from '@tollgate/providers/override/override'
import type { Provider } from '@tollgate/providers/provider'
import type { HeaderRule } from './header-rules.ts'
import type { ModelMapping } from './model-mapping.ts'
import type { RelaySettings } from './relay-settings.ts'

/**
 * Immutable snapshots that the relay reads instead of database tables. Each is replaced as a whole after a
 * change notice. A call takes each snapshot once, at admission, and keeps it, so a change does not affect
 * calls already under way.
 */
export interface Snapshots {
  readonly keyring: Keyring
  roster(): Roster
  prices(): PriceBook
  settings(): RelaySettings
  /** Changes whenever any of the others may have changed. */
  readonly version: number
  /** Calls the listener after each change; returns the function that ends that. */
  onChange(listener: (change: SnapshotChange) => void): () => void
  /** Removes a channel from the roster at once, before the change notice about it arrives. */
  withdrawChannel(channelId: number): void
}

export interface SnapshotChange {
  /** The only change is that all quota was taken away from this user, or from this token. */
  readonly emptied?: { readonly kind: 'user' | 'token'; readonly id: number }
}

export interface Keyring {
  /** Looks a token up by the SHA-256 (hex) of its key without `sk-`. */
  byKeyHash(hash: string): TokenEntry | undefined
  /** Whether a token exists whose hash is of the whole text of its key, as imported from LiteLLM. */
  readonly hasWholeKeys: boolean
  /** Looks such a token up by the SHA-256 (hex) of the whole text. */
  byWholeKeyHash(hash: string): TokenEntry | undefined
  /** Looks a user up by id, for the playground and other calls without a token. */
  owner(userId: number): OwnerEntry | undefined
}

export interface TokenEntry {
  readonly id: number
  readonly name: string
  readonly status: number
  /** Seconds since the epoch; -1 means that the token never expires. */
  readonly expiredTime: number
  readonly isUnlimited: boolean
  /** `undefined` allows every model. */
  readonly models: ReadonlySet<string> | undefined
  /**
   * Parsed addresses and CIDR ranges; `undefined` allows every address. A list in which nothing could be
   * parsed allows none.
   */
  readonly addresses: AddressList | undefined
  /** "" means the owner's group; `auto` means the groups of `groupOrder`, tried one after the other. */
  readonly group: string
  /** Empty means the site's order. */
  readonly groupOrder: readonly string[]
  /** When every channel of one group failed, the next group is tried. */
  readonly triesNextGroup: boolean
  /** `undefined` when the token has no limits besides its quota. */
  readonly limits: TokenRules | undefined
  readonly owner: OwnerEntry
  /** First and last three characters of the key, shown in messages. */
  readonly preview: string
}

/** The limits of a token besides its quota; each member is `undefined` where nothing is limited. */
export interface TokenRules {
  readonly callsPerMinute: number | undefined
  /** Counted tokens per minute, input and output together. */
  readonly tokensPerMinute: number | undefined
  readonly parallelCalls: number | undefined
  readonly budget: { readonly units: bigint; readonly period: PeriodKind } | undefined
}

export interface AddressList {
  has(address: string): boolean
}

export interface OwnerEntry {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly status: number
  readonly isDeleted: boolean
  readonly group: string
  readonly acceptsUnpricedModels: boolean
  /** The user has paid for quota at least once, or was imported from another system; see `books/trust.ts`. */
  readonly hasPaid: boolean
}

export interface Roster {
  /** Enabled channels that serve `model` in `group`, by priority, highest first. */
  candidates(group: string, model: string): Candidates
  /** Whether any channel of the group lists the model, also one that is disabled or has no usable key. */
  isListed(group: string, model: string): boolean
  channel(id: number): RosterChannel | undefined
  /** Every channel that could be loaded, including disabled ones. */
  all(): readonly RosterChannel[]
  /** Distinct models that a group offers, including names with a channel prefix, sorted. */
  models(group: string): readonly OfferedModel[]
}

export interface OfferedModel {
  /** The name that callers use, including a channel prefix. */
  readonly id: string
  /** The name without a channel prefix. */
  readonly root: string
  /** A provider's id, or `custom` when no provider lists the model. */
  readonly ownedBy: string
  /** The owner's display name; "" for `custom`. */
  readonly ownerName: string
}

export interface Candidates {
  /** The model name without a channel prefix; the requested name when no prefix matched. */
  readonly model: string
  readonly tiers: readonly (readonly RosterChannel[])[]
}

/**
 * A channel as the relay uses it. Disabled channels are in the roster too, because an administrator may test
 * one, but they are never candidates for calls.
 */
export interface RosterChannel {
  readonly id: number
  readonly name: string
  readonly type: number
  readonly provider: Provider
  readonly status: number
  readonly priority: number
  readonly weight: number
  readonly baseUrl: string
  /** The channel's keys in clear text, at least one; they are held in memory only. */
  readonly keys: readonly string[]
  /** Indexes of the keys that are out of the rotation. */
  readonly disabledKeys: ReadonlySet<number>
  readonly other: string
  readonly organization: string
  readonly createdTime: number
  readonly groups: readonly string[]
  readonly models: readonly string[]
  readonly modelPrefix: string
  readonly modelMapping: ModelMapping
  readonly statusMapping: ReadonlyMap<number, number>
  readonly headerRules: readonly HeaderRule[]
  /** Throws a Problem when the configured override cannot be applied. */
  readonly parameterOverride: Override | undefined
  readonly settings: ChannelSettings
  /** What the upstream charges the operator, where that is known. */
  readonly costs: CostRatios | undefined
  readonly isAutoBan: boolean
  /** The model used to test the channel; "" means its first model. */
  readonly testModel: string
}

/** A published set of prices. The billing package documents its members. */
export type PriceBook = PriceBookData
