import { assistantFamily } from '@tollgate/catalogue/names/listed-names'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import type { Provider } from '@tollgate/providers/provider'
import type { Candidates, OfferedModel, Roster, RosterChannel } from './snapshots.ts'
import { type Owner, modelOwners } from './model-owners.ts'

export interface RosterInput {
  readonly channels: readonly RosterChannel[]
  /** Ids of channels withdrawn before their change notice arrived. */
  readonly withdrawn: ReadonlySet<number>
  readonly providers: readonly Provider[]
}

/** Builds the index of which channel serves which model; done once for each change of the channels. */
export function buildRoster({ channels, withdrawn, providers }: RosterInput): Roster {
  const byId = new Map(channels.map((channel) => [channel.id, channel]))
  const groups = new Map<string, GroupIndex>()
  for (const channel of channels) {
    if (channel.status !== CHANNEL_STATUS.enabled || withdrawn.has(channel.id) || !hasKey(channel)) continue
    for (const group of channel.groups) indexOf(groups, group).add(channel)
  }
  const owners = modelOwners(providers)
  let listed: ReadonlyMap<string, GroupIndex> | undefined
  return {
    isListed: (group, model) => (listed ??= everyChannel(channels)).get(group)?.lists(model) === true,
    candidates: (group, model) => groups.get(group)?.candidates(model) ?? { model, tiers: [] },
    channel: (id) => byId.get(id),
    all: () => channels,
    models: (group) => groups.get(group)?.models(owners) ?? [],
  }
}

/** Built only when a model has no channel. */
function everyChannel(channels: readonly RosterChannel[]): ReadonlyMap<string, GroupIndex> {
  const groups = new Map<string, GroupIndex>()
  for (const channel of channels) for (const group of channel.groups) indexOf(groups, group).add(channel)
  return groups
}

/** The channels of all tiers, in their order; most models have one tier. */
export function channelsOf({ tiers }: Pick<Candidates, 'tiers'>): readonly RosterChannel[] {
  return tiers.length === 1 && tiers[0] !== undefined ? tiers[0] : tiers.flat()
}

/**
 * Whether any key of the channel is in the rotation. A copy of a channel with expiring credentials has an
 * empty key until an operator signs in.
 */
export function hasKey({ keys, disabledKeys, provider }: RosterChannel): boolean {
  if (provider.renewal !== undefined && keys[0] === '') return false
  return disabledKeys.size < keys.length
}

/**
 * The candidates for a model when the caller pinned one channel; the model may have the channel's prefix.
 * Throws a Problem when the channel does not list the model.
 */
export function pinnedCandidates(channel: RosterChannel, model: string): Candidates {
  const listed = new Map(channel.models.map((name) => [name, [channel]]))
  const { modelPrefix: prefix } = channel
  const root = prefix !== '' && model.startsWith(prefix) ? model.slice(prefix.length) : undefined
  if (root !== undefined && serving(listed, root) !== undefined) return { model: root, tiers: [[channel]] }
  if (serving(listed, model) === undefined) throw problem('channel_lacks_model', { model })
  return { model, tiers: [[channel]] }
}

function indexOf(groups: Map<string, GroupIndex>, group: string): GroupIndex {
  const known = groups.get(group)
  if (known) return known
  const index = new GroupIndex()
  groups.set(group, index)
  return index
}

const FOUND_KEPT_MAX = 20_000

type ByModel = Map<string, RosterChannel[]>

/** The models offered to one group. A channel with a prefix serves its models with and without the prefix. */
class GroupIndex {
  readonly #plain: ByModel = new Map()
  readonly #prefixed = new Map<string, ByModel>()
  readonly #found = new Map<string, Candidates>()
  #prefixes: readonly string[] | undefined
  #models: readonly OfferedModel[] | undefined

  add(channel: RosterChannel): void {
    for (const model of channel.models) push(this.#plain, model, channel)
    if (channel.modelPrefix === '') return
    const served = this.#prefixed.get(channel.modelPrefix) ?? new Map()
    this.#prefixed.set(channel.modelPrefix, served)
    for (const model of channel.models) push(served, model, channel)
  }

  candidates(model: string): Candidates {
    const known = this.#found.get(model)
    if (known) return known
    const found = this.#byPrefix(model) ?? this.#byName(model)
    // The cache is bounded and holds hits only, because callers can invent any number of names, above all of
    // custom assistants.
    if (found.tiers.length > 0 && this.#found.size < FOUND_KEPT_MAX) this.#found.set(model, found)
    return found
  }

  lists(model: string): boolean {
    return this.candidates(model).tiers.length > 0
  }

  models(owners: ReadonlyMap<string, Owner>): readonly OfferedModel[] {
    return (this.#models ??= [...this.#names()]
      .map(([id, root]) => {
        const owner = owners.get(root)
        return { id, root, ownedBy: owner?.id ?? 'custom', ownerName: owner?.label ?? '' }
      })
      .sort((left, right) => (left.id < right.id ? -1 : 1)))
  }

  /** Finds the longest prefix of the name whose channels serve the rest of it; priorities do not count. */
  #byPrefix(model: string): Candidates | undefined {
    this.#prefixes ??= [...this.#prefixed.keys()].sort((left, right) => right.length - left.length)
    for (const prefix of this.#prefixes) {
      if (!model.startsWith(prefix)) continue
      const root = model.slice(prefix.length)
      const channels = serving(this.#prefixed.get(prefix), root)
      if (channels !== undefined) return { model: root, tiers: [channels] }
    }
    return undefined
  }

  #byName(model: string): Candidates {
    return { model, tiers: tiersOf(serving(this.#plain, model) ?? []) }
  }

  #names(): ReadonlyMap<string, string> {
    const names = new Map<string, string>()
    for (const model of this.#plain.keys()) names.set(model, model)
    for (const [prefix, served] of this.#prefixed) {
      for (const model of served.keys()) names.set(prefix + model, model)
    }
    return names
  }
}

function push(byModel: ByModel, model: string, channel: RosterChannel): void {
  const channels = byModel.get(model)
  if (channels) channels.push(channel)
  else byModel.set(model, [channel])
}

function serving(byModel: ByModel | undefined, model: string): readonly RosterChannel[] | undefined {
  const family = assistantFamily(model)
  return byModel?.get(model) ?? (family === undefined ? undefined : byModel?.get(family))
}

function tiersOf(channels: readonly RosterChannel[]): readonly (readonly RosterChannel[])[] {
  const byPriority = Map.groupBy(channels, ({ priority }) => priority)
  return [...byPriority].sort(([left], [right]) => right - left).map(([, tier]) => tier)
}
