import type { PeriodKind } from '@tollgate/kit/calendar-period'
import type { TraitsOf } from '@tollgate/dialects/traits/lookup'
import type { CostRatios } from '@tollgate/billing/cost'
import type { PriceBookData } from '@tollgate/billing/price-book'
import type { Override } from '@tollgate/providers/override/override'
import type { Provider } from '@tollgate/providers/provider'
import type { HeaderRule } from './header-rules.ts'
import type { ModelMapping } from './model-mapping.ts'
import type { RelaySettings } from './relay-settings.ts'

/**
 * What the relay reads instead of tables: immutable snapshots, replaced whole after a change notice. A call takes each
 * snapshot once, at admission, and keeps it; a change in the middle of a call does not touch that call.
 */
export interface Snapshots {
  readonly keyring: Keyring
  roster(): Roster
  prices(): PriceBook
  settings(): RelaySettings
  /** Takes a channel out of the roster at once, ahead of the change notice that will say the same. */
  withdrawChannel(channelId: number): void
}

export interface Keyring {
  /** By SHA-256 (hex) of the key without `sk-`. */
  byKeyHash(hash: string): TokenEntry | undefined
  /** For the playground and other calls without a token. */
  owner(userId: number): OwnerEntry | undefined
}

export interface TokenEntry {
  readonly id: number
  readonly name: string
  readonly status: number
  /** Seconds since the epoch; -1 never. */
  readonly expiredTime: number
  readonly isUnlimited: boolean
  /** `undefined`: every model. */
  readonly models: ReadonlySet<string> | undefined
  /** Parsed addresses and CIDR ranges; `undefined`: every address. A list that parses to nothing allows nobody. */
  readonly addresses: AddressList | undefined
  /** "" = the owner's group; `auto` = one after the other of those in `groupOrder`. */
  readonly group: string
  /** Empty: the site's order. */
  readonly groupOrder: readonly string[]
  /** When every channel of one group failed, the next group tries. */
  readonly triesNextGroup: boolean
  /** `undefined`: none but its quota. */
  readonly limits: TokenRules | undefined
  readonly owner: OwnerEntry
  /** Shown in messages: first and last three characters. */
  readonly preview: string
}

/** What a token may do beside its quota; `undefined`: as much as it likes. */
export interface TokenRules {
  readonly callsPerMinute: number | undefined
  /** Counted tokens, in and out. */
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
  /** Something was paid for its quota, or it was brought over from another system; see `books/trust.ts`. */
  readonly hasPaid: boolean
}

export interface Roster {
  /** Enabled channels that serve `model` in `group`, by priority, highest first. */
  candidates(group: string, model: string): Candidates
  channel(id: number): RosterChannel | undefined
  /** Every channel that can be used at all, disabled ones among them. */
  all(): readonly RosterChannel[]
  /** Distinct models of a group, prefixed names included, sorted. */
  models(group: string): readonly OfferedModel[]
}

export interface OfferedModel {
  /** As a caller names it. */
  readonly id: string
  /** Without a channel prefix. */
  readonly root: string
  /** A provider's id, or `custom` when no provider lists the model. */
  readonly ownedBy: string
  /** As people write it; "" for `custom`. */
  readonly ownerName: string
}

export interface Candidates {
  /** The model without a channel prefix; the requested name when none matched. */
  readonly model: string
  readonly tiers: readonly (readonly RosterChannel[])[]
}

/** Disabled channels are here too: an administrator may test one. They are never candidates. */
export interface RosterChannel {
  readonly id: number
  readonly name: string
  readonly type: number
  readonly provider: Provider
  readonly status: number
  readonly priority: number
  readonly weight: number
  readonly baseUrl: string
  /** Clear text; lives in memory only. One or more. */
  readonly keys: readonly string[]
  /** Places of the keys that are out of the rotation. */
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
  /** Throws a problem when what is configured cannot be done. */
  readonly parameterOverride: Override | undefined
  readonly setting: Readonly<Record<string, unknown>>
  /** What its models take: the table, and what its setting says of them. */
  readonly traitsOf: TraitsOf
  /** Calls may ask for tools that its upstream runs: search, fetch, code. */
  readonly allowsServerTools: boolean
  /** Calls may name what is stored at its upstream, and servers of their own choice. */
  readonly allowsStoredContext: boolean
  /** Calls may go on from responses, conversations and prompts that its upstream keeps, whoever they are from. */
  readonly allowsKeptResponses: boolean
  /** What its upstream asks of the operator, where that is known. */
  readonly costs: CostRatios | undefined
  readonly isAutoBan: boolean
  /** For tests of the channel; "" = its first model. */
  readonly testModel: string
}

/** A published set of prices; see the billing package for what its members promise. */
export type PriceBook = PriceBookData
