import { isChoosingName } from '@tollgate/catalogue/members/choosing-name'
import type { ProviderFamily } from '@tollgate/catalogue/members/member-row'
import { editedAsk } from '@tollgate/dialects/ask-edit'
import type { NamingMember } from '@tollgate/dialects/checked/findings'
import type { Ask } from '@tollgate/dialects/dialect'
import { isRecord, recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { resolveEndpoint } from '@tollgate/providers/prepare/resolve-endpoint'
import { channelsOf } from '../../../snapshots/roster.ts'
import type { PriceBook, Roster, RosterChannel } from '../../../snapshots/snapshots.ts'
import { upstreamModel } from '../../upstream-model.ts'
import { serves, type Service } from '../../serves.ts'
import type { GroupCandidates } from './admitted.ts'
import type { Caller } from './caller.ts'
import { listModels, readPath, keepNames, replaceAt } from '../../naming-values.ts'

export interface NamingCall {
  readonly caller: Caller
  readonly ask: Ask
  readonly service: Pick<Service, 'operation' | 'uncounted'>
  /** Every group that may be tried. */
  readonly groups: readonly GroupCandidates[]
  readonly roster: Pick<Roster, 'candidates'>
  readonly prices: Pick<PriceBook, 'find'>
}

export interface KeptNames {
  readonly ask: Ask
  /** The further models that may serve or help, by the names under which they are priced. */
  readonly namedModels: readonly string[]
  /** Paths of the members that were taken out. */
  readonly taken: readonly string[]
}

/** A hold has eight prices; the first is that of the requested model. */
const NAMED_MODELS_MAX = 7

/**
 * Decides about every member by which the caller names a further model. A name is kept if the token, the group
 * and every channel that may serve the call allow it, it has a price, and the vendor reports which model
 * served. Other names are taken out; an adviser that is taken out refuses the call.
 */
export function keepNamedModels(call: NamingCall): KeptNames {
  const naming = call.ask.names?.naming ?? []
  const tools = toolNames(call)
  if (naming.length === 0 && tools === undefined) return { ask: call.ask, namedModels: [], taken: [] }
  let ask = call.ask
  const taken: string[] = []
  const kept = new Map<string, string>()
  for (const member of naming) {
    const change = judgeMember(member, ask.body, { call, kept })
    if (change === undefined) continue
    taken.push(change.param)
    ask = withChange(ask, member.path, change.value)
  }
  if (tools !== undefined) {
    taken.push(...tools.taken)
    ask = editedAsk(ask, { set: { tools: tools.value } })
  }
  return { ask, namedModels: [...new Set(kept.values())], taken }
}

interface NameChange {
  readonly param: string
  /** `undefined` removes the member. */
  readonly value: unknown
}

interface NamingContext {
  readonly call: NamingCall
  /** Names under which the kept models are priced, by the names that the caller wrote. */
  readonly kept: Map<string, string>
}

function judgeMember(
  { member, path }: NamingMember,
  body: JsonObject,
  { call, kept }: NamingContext,
): NameChange | undefined {
  const value = readPath(body, path)
  const names = listModels(value)
  const param = path.filter((step) => typeof step === 'string').join('.')
  const allowed = new Set<string>()
  for (const name of names) {
    const priced = kept.get(name) ?? pricedName(name, member.row.reportedBy, call)
    if (priced === undefined || (kept.size === NAMED_MODELS_MAX && !kept.has(name))) continue
    allowed.add(name)
    if (name !== call.ask.model) kept.set(name, priced)
  }
  const keptValue = keepNames(value, allowed)
  if (keptValue === value) return undefined
  refuseAdviser(body, path, { param, model: names[0] ?? '' })
  return { param, value: keptValue }
}

/** A tool that asks another model for advice means nothing without it. */
function refuseAdviser(
  body: JsonObject,
  path: readonly (string | number)[],
  refused: { readonly param: string; readonly model: string },
): void {
  const tool = readPath(body, path.slice(0, -1))
  if (path[0] === 'tools' && isRecord(tool) && /^advisor/i.test(textAt(tool, 'type') ?? ''))
    throw problem('model_of_member_refused', { ...refused, model: refused.model.slice(0, 64) })
}

/** The name under which a model is priced if the call may use it, else `undefined`. */
function pricedName(
  name: string,
  reportedBy: readonly ProviderFamily[] = [],
  { caller, ask, service, groups, roster, prices }: NamingCall,
): string | undefined {
  const { token, owner } = caller
  if (token?.models !== undefined && !token.models.has(name)) return undefined
  let pricedAs: string | undefined
  for (const { group, candidates } of groups) {
    const offer = roster.candidates(group, name)
    const offering = new Set(channelsOf(offer).map(({ id }) => id))
    const names = { asked: ask.model, offered: candidates.model }
    const channels = channelsOf(candidates).filter((channel) => serves(channel, { ...service, names }))
    const isAllowed = channels.every(
      (channel) =>
        offering.has(channel.id) &&
        reportsServed(channel, reportedBy, { ...names, operation: service.operation }),
    )
    const question = {
      model: offer.model,
      group,
      acceptsUnpriced: owner.acceptsUnpricedModels,
      ownGroup: owner.group,
    }
    if (!isAllowed || prices.find(question) === undefined) return undefined
    pricedAs ??= offer.model
  }
  return pricedAs
}

/** Whether the channel's vendor reports which model served, and gets the member as the caller wrote it. */
function reportsServed(
  channel: RosterChannel,
  reportedBy: readonly ProviderFamily[],
  { operation, ...names }: Pick<Service, 'operation'> & Service['names'],
): boolean {
  if (!channel.settings.allowsOtherModels) return false
  if (!reportedBy.some((family) => family === channel.provider.id)) return false
  const resolved = resolveEndpoint(channel.provider, operation, upstreamModel(channel, names))
  return resolved?.operation === operation
}

function withChange(ask: Ask, path: readonly (string | number)[], value: unknown): Ask {
  const [top] = path
  if (typeof top !== 'string') return ask
  const changed = replaceAt(ask.body, path, value)
  return top in changed
    ? editedAsk(ask, { set: { [top]: changed[top] } })
    : editedAsk(ask, { set: {}, remove: [top] })
}

/** Server tools of OpenRouter have their settings, a model among them, where functions have their schema. */
function toolNames({
  ask,
  service,
}: NamingCall): { readonly value: readonly unknown[]; readonly taken: readonly string[] } | undefined {
  if (service.uncounted?.serverTool === undefined) return undefined
  const { tools } = ask.body
  if (!Array.isArray(tools)) return undefined
  const taken: string[] = []
  const value = tools.map((tool: unknown): unknown => {
    if (!isRecord(tool) || !/^openrouter:/i.test(textAt(tool, 'type') ?? '')) return tool
    const parameters = recordAt(tool, 'parameters')
    if (parameters === undefined) return tool
    const kept = Object.entries(parameters).filter(([name]) => !isChoosingName(name) || name === 'engine')
    if (kept.length === Object.keys(parameters).length) return tool
    taken.push('tools.parameters')
    return { ...tool, parameters: Object.fromEntries(kept) }
  })
  return taken.length === 0 ? undefined : { value, taken: [...new Set(taken)] }
}
