import { adminUserRoutes } from '@tollgate/contract/admin-user'
import { isWholeKey } from '../../shared/ids/token-key.ts'
import { api } from '../../shared/api/client.ts'
import type { PaletteEntry } from '../../shared/palette/palette-store.ts'
import { paths } from '../../shared/routing/paths.ts'
import { findKeyOwner } from './key-owner.ts'

const FOUND_MAX = 5

/** Finds users by name, address, id or a token's key, for the command palette. */
export async function findUsers(text: string, signal: AbortSignal): Promise<readonly PaletteEntry[]> {
  if (isWholeKey(text)) return ownerOf(text, signal)
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

/** A key is a secret, so it must never become part of an address. */
async function ownerOf(key: string, signal: AbortSignal): Promise<readonly PaletteEntry[]> {
  const owner = await findKeyOwner(key, signal)
  if (owner === null) return []
  return [
    {
      key: `user-${owner.user_id}`,
      title: owner.username,
      detail: `#${owner.user_id} ${owner.token_name}`,
      icon: 'users',
      to: `${paths.users}?user=${owner.user_id}&tab=tokens`,
    },
  ]
}
