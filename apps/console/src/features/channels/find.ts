import { channelRoutes } from '@tollgate/contract/channel'
import { api } from '../../shared/api/client.ts'
import type { PaletteEntry } from '../../shared/palette/palette-store.ts'
import { paths } from '../../shared/routing/paths.ts'

const FOUND_MAX = 5

/** Finds channels by name or id, for the command palette. */
export async function findChannels(text: string, signal: AbortSignal): Promise<readonly PaletteEntry[]> {
  const rows = await api.call(channelRoutes.search, {
    query: { keyword: text, page_size: FOUND_MAX },
    signal,
  })
  return rows.map((channel) => ({
    key: `channel-${channel.id}`,
    title: channel.name,
    detail: `#${channel.id}`,
    icon: 'route',
    to: `${paths.channels}?keyword=${encodeURIComponent(channel.name)}`,
  }))
}
