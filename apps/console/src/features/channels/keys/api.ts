import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ChannelKey, channelKeyRoutes } from '@tollgate/contract/channel-key'
import { api } from '../../../shared/api/client.ts'
import type { Page } from '../../../shared/table/column.ts'
import { useRefreshChannels } from '../api.ts'

const LOOK_EVERY_MS = 5000

export interface KeyPage extends Page<ChannelKey> {
  readonly enabled: number
  readonly disabled: number
  readonly autoDisabled: number
}

export interface KeyQuery {
  readonly page: number
  readonly pageSize: number
  /** 0 means every status. */
  readonly status: number
}

/** A page of a channel's keys. It is refreshed regularly, because the states change on their own. */
export function useKeyPage(channelId: number, { page, pageSize, status }: KeyQuery) {
  return useQuery({
    queryKey: ['channel-key', channelId, page, pageSize, status],
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_EVERY_MS,
    queryFn: async ({ signal }): Promise<KeyPage> => {
      const query = { p: page - 1, page_size: pageSize, status }
      const { data, extra } = await api.callWhole(channelKeyRoutes.list, {
        params: { id: channelId },
        query,
        signal,
      })
      return {
        rows: data,
        total: Number(extra['total']),
        enabled: Number(extra['enabled']),
        disabled: Number(extra['disabled']),
        autoDisabled: Number(extra['auto_disabled']),
      }
    },
  })
}

/** Call after a change: keys and channels are fetched again. */
export function useRefreshKeys(channelId: number): () => Promise<void> {
  const client = useQueryClient()
  const refreshChannels = useRefreshChannels()
  return async () => {
    await Promise.all([client.invalidateQueries({ queryKey: ['channel-key', channelId] }), refreshChannels()])
  }
}
