import type { Cipher } from '@tollgate/kit/cipher'
import { channelKeyHash } from '@tollgate/store/channels/keys'
import type { Snapshots } from '../snapshots/snapshots.ts'
import type { RoutingInsight } from '../ports/channel-insight.ts'
import type { Affinity } from './affinity/affinity.ts'
import { createExplain } from './explain.ts'
import type { ChannelLessons } from './lessons/channel-lessons.ts'
import { LESSON_LIFETIME_MS } from './lessons/kept-lessons.ts'
import { sessionOf } from './sessions/sessions.ts'
import type { KeyHealth } from './stations/route/key-health.ts'
import type { ChannelTraffic } from './traffic.ts'

export interface RoutingInsightDeps {
  readonly snapshots: Pick<Snapshots, 'roster' | 'settings'>
  readonly health: KeyHealth
  readonly traffic: ChannelTraffic
  readonly lessons: Pick<ChannelLessons, 'list' | 'forget'>
  readonly affinity: Affinity
  /** The one with which the relay makes the ids of sessions. */
  readonly cipher: Pick<Cipher, 'mark'>
  /** Monotonic time, from the same clock as the relay's. */
  readonly now: () => number
  readonly random: () => number
}

export function openRoutingInsight(deps: RoutingInsightDeps): RoutingInsight {
  const { snapshots, health, traffic, lessons, affinity, cipher, now } = deps
  return {
    explain: createExplain({
      ...deps,
      sessionNamed: (ownerId, name) => sessionOf(cipher, { ownerId, name }),
    }),
    bindings: () => affinity.count(),
    clearBindings: () => affinity.clear(),
    traffic: () => traffic.peek(),
    isResting: (id) => {
      const channel = snapshots.roster().channel(id)
      return channel !== undefined && health.isResting(channel, now())
    },
    keySnapshots: (id) => {
      const channel = snapshots.roster().channel(id)
      return channel === undefined ? [] : health.snapshot(channel, now())
    },
    lessonsOf: async (id) => {
      const channel = snapshots.roster().channel(id)
      const kept = channel === undefined ? [] : await lessons.list(channel)
      return kept.map((each) => ({ ...each, endsMs: each.learnedMs + LESSON_LIFETIME_MS }))
    },
    forgetLessons: (id) => lessons.forget(id),
    pardonKeys: (id, hashes) => {
      const channel = snapshots.roster().channel(id)
      for (const [index, key] of channel?.keys.entries() ?? [])
        if (channel && hashes.has(channelKeyHash(id, key))) health.reset(channel, index)
    },
  }
}
