import { useQuery } from '@tanstack/react-query'
import { type ChannelHealth, channelInsightRoutes } from '@tollgate/contract/channel-insight'
import { api } from '../../../shared/api/client.ts'

const LOOK_EVERY_MS = 30_000
const noHealth: ReadonlyMap<number, ChannelHealth> = new Map()

/** Health of these channels over the last hour, by id; refreshed while the page is open. */
export function useHealth(ids: readonly number[]): ReadonlyMap<number, ChannelHealth> {
  const { data } = useQuery({
    queryKey: ['channel-health', ids],
    enabled: ids.length > 0,
    refetchInterval: LOOK_EVERY_MS,
    queryFn: ({ signal }) => api.call(channelInsightRoutes.health, { query: { ids: ids.join(',') }, signal }),
    select: byChannel,
  })
  return data ?? noHealth
}

function byChannel(all: readonly ChannelHealth[]): ReadonlyMap<number, ChannelHealth> {
  return new Map(all.map((health) => [health.channel_id, health]))
}
