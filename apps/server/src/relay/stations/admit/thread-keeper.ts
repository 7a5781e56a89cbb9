import { problem } from '@tollgate/problems/problem'
import { channelsOf } from '../../../snapshots/roster.ts'
import { type Binding, boundKey } from '../../affinity/binding.ts'
import { readContinuedMessage, type KeptThreads } from '../../affinity/kept-threads.ts'
import type { GroupCandidates } from './admitted.ts'
import type { Caller } from './caller.ts'
import { candidatesByGroup, type CandidateQuery } from './candidates-by-group.ts'

/** The groups of a call, and the channel and key that keep the conversation that it continues. */
export interface KeptCandidates {
  readonly groups: readonly [GroupCandidates, ...(readonly GroupCandidates[])]
  readonly keeper?: Binding
}

/**
 * The groups that have a channel for the call. A call that continues a thread is served by the channel and key
 * that keep it, for the user who began it, or by none.
 */
export function findKeptCandidates(
  caller: Caller,
  query: CandidateQuery,
  threads: Pick<KeptThreads, 'find'>,
): KeptCandidates | Promise<KeptCandidates> {
  const groups = candidatesByGroup(caller, query)
  const messageId =
    query.uncounted?.keptByVendor === 'thread' ? readContinuedMessage(query.ask.body) : undefined
  if (messageId === undefined) return { groups }
  return threads.find(caller.owner.id, messageId).then((keeper) => {
    const [first, ...others] = keeper === undefined ? [] : groups.flatMap((group) => narrowed(group, keeper))
    if (keeper === undefined || first === undefined) throw problem('thread_not_found')
    return { groups: [first, ...others], keeper }
  })
}

function narrowed({ group, candidates }: GroupCandidates, keeper: Binding): readonly GroupCandidates[] {
  const channel = channelsOf(candidates).find(({ id }) => id === keeper.channelId)
  const isUsable = channel?.settings.allowsKeptResponses === true && boundKey(channel, keeper) !== undefined
  return isUsable ? [{ group, candidates: { ...candidates, tiers: [[channel]] } }] : []
}
