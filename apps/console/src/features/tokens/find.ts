import { tokenRoutes } from '@tollgate/contract/token'
import { api } from '../../shared/api/client.ts'
import type { PaletteEntry } from '../../shared/palette/palette-store.ts'
import { paths } from '../../shared/routing/paths.ts'
import { maskedKey } from '../../shared/ids/token-key.ts'

const FOUND_MAX = 5

/** Finds the caller's tokens by name or key, for the command palette. */
export async function findTokens(text: string, signal: AbortSignal): Promise<readonly PaletteEntry[]> {
  const rows = await api.call(tokenRoutes.search, {
    query: { keyword: maskedKey(text), size: FOUND_MAX },
    signal,
  })
  return rows.map((token) => ({
    key: `token-${token.id}`,
    title: token.name,
    detail: token.key,
    icon: 'key',
    to: `${paths.tokens}?keyword=${encodeURIComponent(token.name)}`,
  }))
}
