import type { FeeSet } from '@tollgate/billing/fee-prices'
import type { ToolCallBounds } from '@tollgate/billing/hold'
import type { Price } from '@tollgate/billing/price'
import { impliedToolCalls } from '@tollgate/billing/tool-prices'
import { listFeeRows } from '@tollgate/catalogue/fees/fee-rows'
import { findUnknownTool } from '@tollgate/catalogue/fees/known-tools'
import { listRequestedFees, type RequestedFee } from '@tollgate/catalogue/fees/request-fees'
import type { JsonObject } from '@tollgate/dialects/json'
import { toolsOf } from '@tollgate/dialects/requested-tools'
import { resolveEndpoint } from '@tollgate/providers/prepare/resolve-endpoint'
import { channelsOf } from '../../snapshots/roster.ts'
import type { Candidates } from '../../snapshots/snapshots.ts'
import type { Operation } from '../operations/operation.ts'
import { upstreamModel } from '../upstream-model.ts'

/** The fees that a call may cause beside its tokens, whichever of its candidates serves it. */
export interface CallFees {
  /** The fees of all vendors among the candidates. */
  readonly set: FeeSet
  /** The fees that the request asks for, by {@link routeKey}. */
  readonly requested: ReadonlyMap<string, readonly RequestedFee[]>
  readonly isPromptStored: boolean
  /** Tools that the vendor of a provider would run, and whose price nobody knows, by provider. */
  readonly unknownTools: ReadonlyMap<string, readonly string[]>
}

export interface FeeCall {
  readonly operation: Operation
  readonly ask: { readonly model: string; readonly body: JsonObject }
  readonly candidates: Candidates
}

/** What is asked of one provider's model. */
export function routeKey(provider: string, model: string): string {
  return `${provider} ${model}`
}

/** `undefined` for operations that cause no fees beside their price. */
export function findCallFees({ operation, ask, candidates }: FeeCall): CallFees | undefined {
  if (operation.isConversation !== true && operation.wire !== 'completions') return undefined
  const names = { asked: ask.model, offered: candidates.model }
  const providers = new Set<string>()
  const requested = new Map<string, readonly RequestedFee[]>()
  const tools = toolsOf(ask.body)
  for (const channel of channelsOf(candidates)) {
    const { id } = channel.provider
    const model = upstreamModel(channel, names) ?? candidates.model
    const key = routeKey(id, model)
    providers.add(id)
    if (requested.has(key)) continue
    requested.set(key, listRequestedFees(listFeeRows(id), { body: ask.body, tools, model }))
  }
  return {
    set: findFeeSet(providers),
    requested,
    isPromptStored: ask.body['prompt'] !== undefined,
    unknownTools: tools.length === 0 ? NO_TOOLS : listUnknownTools({ operation, ask, candidates }, tools),
  }
}

const NO_TOOLS: CallFees['unknownTools'] = new Map()

/** Only for providers that get the tools as the caller wrote them. */
function listUnknownTools(
  { operation, ask, candidates }: FeeCall,
  tools: readonly JsonObject[],
): CallFees['unknownTools'] {
  const names = { asked: ask.model, offered: candidates.model }
  const namesByProvider = new Map<string, readonly string[]>()
  for (const channel of channelsOf(candidates)) {
    const { id } = channel.provider
    if (namesByProvider.has(id)) continue
    const unknown = new Set(tools.flatMap((tool) => findUnknownTool(id, tool) ?? []))
    if (unknown.size === 0) continue
    const endpoint = resolveEndpoint(channel.provider, operation.wire, upstreamModel(channel, names))
    if (endpoint?.operation === operation.wire) namesByProvider.set(id, [...unknown])
  }
  return namesByProvider
}

/** The name of a requested fee that has no price; nobody knows what the call would cost. */
export function findUnpricedFee({ requested }: CallFees, price: Price): string | undefined {
  for (const list of requested.values())
    for (const { row } of list)
      if (price.toolPrices === undefined || !Object.hasOwn(price.toolPrices, row.name)) return row.name
  return undefined
}

const setsByKey = new Map<string, FeeSet>()
const SETS_MAX = 10_000

/** The same set for the same providers, so that prices are computed once for each. */
function findFeeSet(providers: ReadonlySet<string>): FeeSet {
  const key = [...providers].toSorted().join(' ')
  const cachedSet = setsByKey.get(key)
  if (cachedSet !== undefined) return cachedSet
  const set = { key, rows: [...new Set([...providers].flatMap(listFeeRows))] }
  if (setsByKey.size < SETS_MAX) setsByKey.set(key, set)
  return set
}

/**
 * How many units of each fee a call causes, certainly, expectedly and at most. Where candidates differ, the larger
 * number holds.
 */
export function boundCallFees(
  { operation, candidates }: Pick<FeeCall, 'operation' | 'candidates'>,
  fees: CallFees | undefined,
): ToolCallBounds | undefined {
  if (operation.toolCalls !== undefined) return operation.toolCalls
  const implied = operation.isConversation === true ? impliedToolCalls(candidates.model) : undefined
  const certain: Record<string, number> = {}
  const most: Record<string, number> = {}
  const expected: Record<string, number> = {}
  for (const list of fees?.requested.values() ?? [])
    for (const fee of list) {
      const { name } = fee.row
      raise(most, name, fee.most)
      raise(expected, name, fee.expected)
      if (fee.isCertain) raise(certain, name, fee.unitsPerUse)
    }
  for (const [name, count] of Object.entries(implied ?? {}))
    for (const counts of [certain, expected, most]) raise(counts, name, count)
  if (Object.keys(most).length === 0) return undefined
  return { ...(Object.keys(certain).length > 0 && { certain }), expected, most }
}

function raise(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = Math.max(counts[name] ?? 0, count)
}
