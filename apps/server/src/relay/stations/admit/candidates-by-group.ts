import type { Ask } from '@tollgate/dialects/dialect'
import type { CallOperation } from '@tollgate/dialects/conversations'
import type { UncountedInput } from '@tollgate/dialects/uncounted-input'
import { problem, type Problem } from '@tollgate/problems/problem'
import type { Candidates, Roster } from '../../../snapshots/snapshots.ts'
import { pinnedCandidates } from '../../../snapshots/roster.ts'
import { responseNotFound } from '../../response-not-found.ts'
import { previousResponse } from '../../sessions/session-name.ts'
import { serves, type Service } from '../../serves.ts'
import type { GroupCandidates } from './admitted.ts'
import type { Caller } from './caller.ts'

/** What a call needs of a channel. */
export interface CandidateQuery {
  readonly ask: Ask
  readonly uncounted: UncountedInput | undefined
  /** In the order in which they are tried. */
  readonly groups: readonly string[]
  readonly operation: CallOperation
  readonly roster: Roster
  /** See `Call`. */
  readonly onlyChannel?: number | undefined
}

/**
 * The groups that have a channel for the call, at least one. Throws a Problem when none of the groups has
 * one.
 */
export function candidatesByGroup(
  caller: Caller,
  { ask, uncounted, groups, operation, roster, onlyChannel }: CandidateQuery,
): readonly [GroupCandidates, ...(readonly GroupCandidates[])] {
  const { token, pinned } = caller
  const { model } = ask
  const [group = ''] = groups
  if (token?.models !== undefined && !token.models.has(model)) throw problem('model_not_allowed', { model })
  if (pinned) {
    const candidates = pinnedCandidates(pinned, model)
    const refusal = notAllowed([candidates], { asked: model, operation, uncounted })
    if (refusal !== undefined) throw refusal
    return [{ group, candidates }]
  }
  const wish = { asked: model, operation, uncounted }
  const offers = groups.map((name) => ({
    group: name,
    candidates: narrowed(roster.candidates(name, model), onlyChannel),
  }))
  const [first, ...others] = offers.filter(({ candidates }) => isServed(candidates, wish))
  if (first !== undefined) return [first, ...others]
  if (onlyChannel !== undefined) throw responseNotFound(previousResponse(ask.body) ?? '')
  const refusal = notAllowed(
    offers.map(({ candidates }) => candidates),
    wish,
  )
  if (refusal !== undefined) throw refusal
  const isListed = groups.some((name) => roster.isListed(name, model)) ? 1 : 0
  const parameters = { model, group: groups.join(', '), isListed }
  throw problem(token ? 'no_channel' : 'get_playground_channel_failed', parameters)
}

function narrowed(candidates: Candidates, onlyChannel: number | undefined): Candidates {
  if (onlyChannel === undefined) return candidates
  const { model, tiers } = candidates
  return { model, tiers: tiers.map((tier) => tier.filter(({ id }) => id === onlyChannel)) }
}

interface Wish extends Pick<Service, 'operation' | 'uncounted'> {
  readonly asked: string
}

function isServed({ model: offered, tiers }: Candidates, { asked, operation, uncounted }: Wish): boolean {
  const service = { operation, uncounted, names: { asked, offered } }
  return tiers.some((tier) => tier.some((channel) => serves(channel, service)))
}

/**
 * When the call would be served if one member of the request were left out, returns the Problem that names
 * this member, which no channel allows.
 */
function notAllowed(candidates: readonly Candidates[], wish: Wish): Problem | undefined {
  const { uncounted, asked } = wish
  if (uncounted === undefined) return undefined
  const { serverTool, storedContext, keptByVendor } = uncounted
  const isServedWith = (allowed: UncountedInput | undefined) =>
    candidates.some((each) => isServed(each, { ...wish, uncounted: allowed }))
  if (isServedWith(uncounted) || !isServedWith(undefined)) return undefined
  const isToolRefused = !isServedWith({ ...uncounted, storedContext: undefined, keptByVendor: undefined })
  const isContextRefused = !isServedWith({ ...uncounted, keptByVendor: undefined })
  const param =
    (isToolRefused ? serverTool : isContextRefused ? storedContext : keptByVendor) ?? storedContext
  // Libraries send the whole conversation when they read this one.
  if (param === 'thread') return problem('thread_unsupported_request')
  return problem('member_not_allowed', { param: param ?? '', model: asked })
}
