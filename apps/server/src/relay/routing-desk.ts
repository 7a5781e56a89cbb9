import { channelKeyHash } from '@tollgate/store/channel-keys'
import type { Books } from '../books/books.ts'
import { createExplain, type RouteExplanation, type RouteQuestion } from './explain.ts'
import type { KeyHealth, KeyLook } from './route/key-health.ts'
import type { ChannelTraffic, Traffic } from './traffic.ts'

export interface RoutingDeskDeps {
  readonly books: Pick<Books, 'roster'>
  readonly health: KeyHealth
  readonly traffic: ChannelTraffic
  /** Monotonic, as the relay's. */
  readonly now: () => number
  readonly random: () => number
}

/** What operators may see of the relay's choices in this process. */
export interface RoutingDesk {
  lookAtKeys(channelId: number): readonly KeyLook[]
  pardonKeys(channelId: number, hashes: ReadonlySet<string>): void
  isResting(channelId: number): boolean
  traffic(): readonly Traffic[]
  explain(question: RouteQuestion): RouteExplanation
}

export function openRoutingDesk(deps: RoutingDeskDeps): RoutingDesk {
  const { books, health, traffic, now } = deps
  return {
    explain: createExplain(deps),
    traffic: () => traffic.peek(),
    isResting: (id) => {
      const channel = books.roster().channel(id)
      return channel !== undefined && health.isResting(channel, now())
    },
    lookAtKeys: (id) => {
      const channel = books.roster().channel(id)
      return channel === undefined ? [] : health.look(channel, now())
    },
    pardonKeys: (id, hashes) => {
      const channel = books.roster().channel(id)
      for (const [index, key] of channel?.keys.entries() ?? [])
        if (channel && hashes.has(channelKeyHash(id, key))) health.pardon(channel, index)
    },
  }
}
