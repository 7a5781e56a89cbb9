import type { FeeRow } from '@tollgate/catalogue/fees/fee-row'
import { findFeeRow, listFeeRows } from '@tollgate/catalogue/fees/fee-rows'
import { isForModel } from '@tollgate/catalogue/fees/request-fees'
import type { PricingRow, pricingRoutes } from '@tollgate/contract/pricing'
import { factsOf } from '@tollgate/dialects/traits/facts'
import type { Operation } from '@tollgate/providers/provider'
import type { OfferedModel, PriceBook, Roster, RosterChannel } from '../../snapshots/snapshots.ts'
import { channelsOf } from '../../snapshots/roster.ts'
import { shownTraits } from '../../snapshots/model-traits.ts'
import { Answer, type Handler } from '../handler.ts'
import { type GroupServices, usableGroups } from '../group/usable.ts'
import { converses, endpointTypesOf, servedOperations } from './operations.ts'
import { contextTiersOf, pricesOf, qualityPriceOf, tierRatiosOf, toolPricesOf } from './rule.ts'
import { isToolOf } from './tool-vendors.ts'

/**
 * Lists what the viewer can call and what it costs: models of the groups they may use, at the price at which
 * a call would be admitted now. A model without a price is left out, because calls to it are refused.
 */
export function listPrices(services: GroupServices): Handler<typeof pricingRoutes.list> {
  return async ({ actor }) => {
    const ownGroup = actor?.group ?? ''
    const groups = usableGroups(services, ownGroup)
    const prices = services.snapshots.prices()
    const roster = services.snapshots.roster()
    const offers = offersOf(roster, [...groups.keys()])
    return new Answer({
      data: offers.flatMap((offer) => rowOf(offer, { prices, roster, ownGroup })),
      extra: {
        group_ratio: Object.fromEntries([...groups].map(([name, { ratio }]) => [name, ratio])),
        usable_group: Object.fromEntries([...groups].map(([name, { desc }]) => [name, desc])),
        price_version: prices.version,
      },
    })
  }
}

interface Offer {
  readonly model: OfferedModel
  readonly groups: readonly string[]
}

/** Returns each model once, with all groups that offer it, sorted by name. */
function offersOf(roster: Roster, groups: readonly string[]): Offer[] {
  const offers = new Map<string, { model: OfferedModel; groups: string[] }>()
  for (const group of groups) {
    for (const model of roster.models(group)) {
      const known = offers.get(model.id)
      if (known) known.groups.push(group)
      else offers.set(model.id, { model, groups: [group] })
    }
  }
  return [...offers.values()].toSorted((a, b) => a.model.id.localeCompare(b.model.id))
}

interface View {
  readonly prices: PriceBook
  readonly roster: Roster
  readonly ownGroup: string
}

function rowOf({ model, groups }: Offer, { prices, roster, ownGroup }: View): PricingRow[] {
  const found = groups.flatMap((group) => {
    const price = prices.find({ model: model.root, group, acceptsUnpriced: false, ownGroup })
    return price ? [{ group, price }] : []
  })
  const [first] = found
  if (!first) return []
  const channels = groups.flatMap((group) => channelsOf(roster.candidates(group, model.id)))
  const qualities = prices.qualitiesOf(model.root)
  const isForTasksAlone = qualities.length > 0 || channels.every(takesTasksAlone)
  const callsTools = converses(model.root) && !isForTasksAlone
  return [
    {
      model_name: model.id,
      owner_by: model.ownedBy,
      owner_name: model.ownerName,
      ...pricesOf(first.price),
      tool_prices: callsTools ? listFees(model, { channels, prices, ownGroup, group: first.group }) : {},
      tier_ratios: tierRatiosOf(first.price),
      context_tiers: contextTiersOf(first.price),
      quality_prices: qualities.flatMap((name) => {
        const price = prices.find({ model: name, group: first.group, acceptsUnpriced: false, ownGroup })
        return price === undefined ? [] : qualityPriceOf(model.root, price)
      }),
      enable_groups: found.map(({ group }) => group),
      traits: callsTools ? shownTraits(channels, model.root) : {},
      facts: shownFacts(model.root),
      supported_endpoint_types: endpointTypesOf(model.root, {
        operations: offeredOperations(channels, model.root),
        tasks: new Set(channels.flatMap(({ provider }) => provider.tasks?.platform ?? [])),
        isForTasksAlone,
      }),
    },
  ]
}

function shownFacts(model: string): PricingRow['facts'] {
  const { contextTokens, outputTokensMax, input, output, shutdownDate } = factsOf(model)
  return {
    context_tokens: contextTokens,
    output_tokens_max: outputTokensMax,
    input: input && [...input],
    output: output && [...output],
    shutdown_date: shutdownDate,
  }
}

function offeredOperations(channels: readonly RosterChannel[], model: string): ReadonlySet<Operation> {
  return new Set(
    channels.flatMap(({ provider, modelMapping }) =>
      servedOperations(provider, modelMapping.get(model) ?? model),
    ),
  )
}

interface FeeView {
  readonly channels: readonly RosterChannel[]
  readonly prices: PriceBook
  readonly ownGroup: string
  readonly group: string
}

/** What vendors take beside tokens for this model, by the channels that serve it, and tools of the operator's own. */
function listFees(
  model: OfferedModel,
  { channels, prices, ownGroup, group }: FeeView,
): Record<string, number> {
  const rows = new Set<FeeRow>()
  for (const { provider, modelMapping } of channels)
    for (const row of listFeeRows(provider.id))
      if (isForModel(row, modelMapping.get(model.root) ?? model.root)) rows.add(row)
  const key = `list ${[...rows].map(({ name }) => name).join(' ')}`
  const price = prices.find({
    model: model.root,
    group,
    acceptsUnpriced: false,
    ownGroup,
    fees: { key, rows: [...rows] },
  })
  const names = new Set([...rows].map(({ name }) => name))
  const shown = Object.entries(price === undefined ? {} : toolPricesOf(price)).filter(
    ([name, each]) =>
      each > 0 &&
      (names.has(name) || findFeeRow(name) === undefined) &&
      isToolOf(name, { model: model.root, owner: model.ownedBy }),
  )
  return Object.fromEntries(shown)
}

/** True for a channel that only runs tasks (drawings, songs, videos) and cannot chat. */
function takesTasksAlone({ provider }: RosterChannel): boolean {
  return provider.tasks !== undefined && Object.keys(provider.endpoints).length === 0
}
