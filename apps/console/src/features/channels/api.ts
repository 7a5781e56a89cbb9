import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Channel, channelRoutes } from '@tollgate/contract/channel'
import type { ChannelType } from '@tollgate/contract/channel-upstream'
import { api } from '../../shared/api/client.ts'
import { pageOfList } from '../../shared/table/page-of.ts'
import type { ChannelSearch } from './search.ts'

const SELDOM_CHANGED_MS = 300_000
/** Prefix of the key of every query that a change to a channel invalidates. */
export const CHANNEL_KEY = ['channel']

export interface ChannelOrder {
  /** Sorts by id, newest first; otherwise by priority. */
  readonly isById: boolean
  /** Each row is a tag, with all its channels. */
  readonly isByTag: boolean
}

/** One page of channels, or of tags if `isByTag` is set. */
export function useChannelPage(search: ChannelSearch, pageSize: number, order: ChannelOrder) {
  return useQuery({
    queryKey: [...CHANNEL_KEY, 'list', search, pageSize, order],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { p, ...filters } = search
      const query = {
        ...filters,
        p: p - 1,
        page_size: pageSize,
        id_sort: order.isById,
        tag_mode: order.isByTag,
      }
      return pageOfList(await api.callWhole(channelRoutes.search, { query, signal }))
    },
  })
}

/** The supported kinds of upstream, by type number. */
export function useChannelTypesQuery() {
  return useQuery({
    queryKey: ['channel-type'],
    staleTime: SELDOM_CHANGED_MS,
    queryFn: ({ signal }) => api.call(channelRoutes.types, { signal }),
    select: byType,
  })
}

/** Empty while they are being loaded. */
export function useChannelTypes(): ReadonlyMap<number, ChannelType> {
  return useChannelTypesQuery().data ?? noTypes
}

const noTypes: ReadonlyMap<number, ChannelType> = new Map()

function byType(types: readonly ChannelType[]): ReadonlyMap<number, ChannelType> {
  return new Map(types.map((type) => [type.type, type]))
}

/** The current state of the channel for the form; the list may be outdated. */
export function useChannel(id: number | undefined) {
  return useQuery({
    queryKey: [...CHANNEL_KEY, 'one', id],
    enabled: id !== undefined,
    gcTime: 0,
    queryFn: ({ signal }) => api.call(channelRoutes.get, { params: { id: id ?? 0 }, signal }),
  })
}

/** Call after a change: every list of channels is fetched again. */
export function useRefreshChannels(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: CHANNEL_KEY })
}

export function updateChannel(
  channel: Channel,
  change: { status?: number; priority?: number; weight?: number },
) {
  return api.call(channelRoutes.update, { body: { id: channel.id, ...change } })
}

export interface TestOutcome {
  readonly seconds: number
  readonly model: string | undefined
}

/** Sends one small request through a channel; rejects with the reason if the request fails. */
export async function testChannel(channel: Channel, model?: string): Promise<TestOutcome> {
  const { data, extra } = await api.callWhole(channelRoutes.test, {
    params: { id: channel.id },
    query: model === undefined ? {} : { model },
  })
  return { seconds: typeof extra['time'] === 'number' ? extra['time'] : 0, model: data.model }
}
