import { adminUserRoutes } from '@tollgate/contract/admin-user'
import { api } from '../../shared/api/client.ts'
import type { PaletteEntry } from '../../shared/palette/palette-store.ts'
import { paths } from '../../shared/routing/paths.ts'

const FOUND_MAX = 5

/** Users by name, address or id, for the palette. */
export async function findUsers(text: string, signal: AbortSignal): Promise<readonly PaletteEntry[]> {
  const { items } = await api.call(adminUserRoutes.search, {
    query: { keyword: text, page_size: FOUND_MAX },
    signal,
  })
  return items.map((user) => ({
    key: `user-${user.id}`,
    title: user.username,
    detail: `#${user.id} ${user.email}`.trim(),
    icon: 'users',
    to: `${paths.users}?user=${user.id}`,
  }))
}
