import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { optionRoutes } from '@tollgate/contract/option'
import { type OptionChange, optionHistoryRoutes } from '@tollgate/contract/option-history'
import type { OptionKey } from '@tollgate/contract/options/index'
import { api } from '../../shared/api/client.ts'
import { closeNotice } from '../../shared/notice/notice.ts'
import { statusQuery } from '../../shared/session/status.ts'
import { pageOf } from '../../shared/table/page-of.ts'
import { ALL_KEYS } from './search.ts'

const OPTION_KEY = ['option']

/** One stored setting as text. For a secret, only its existence is known. */
export interface StoredSetting {
  readonly text: string
  readonly isSet: boolean
  /** Incremented by each change. */
  readonly version: number
}
export type StoredSettings = ReadonlyMap<string, StoredSetting>

export function useSettings() {
  return useQuery({
    queryKey: [...OPTION_KEY, 'list'],
    queryFn: async ({ signal }): Promise<StoredSettings> => {
      const rows = await api.call(optionRoutes.list, { signal })
      return new Map(
        rows.map(({ key, value, version, is_set: isSet }) => [
          key,
          { text: value, isSet: isSet ?? value !== '', version },
        ]),
      )
    },
  })
}

/** Stores a setting. The server refuses it if the setting is no longer at `version`. */
export async function storeSetting(
  key: OptionKey,
  value: string,
  version: number | undefined,
): Promise<void> {
  await api.call(optionRoutes.update, { body: { key, value, version } })
  // The author of the announcement has read it, so it must not open over their settings.
  if (key === 'Notice') closeNotice(value.trim())
}

/** One page of changes, newest first: of one setting, or of all settings. */
export function useHistory(key: string, page: number, pageSize: number) {
  const query = { key: key === ALL_KEYS ? undefined : key, p: page, page_size: pageSize }
  return useQuery({
    queryKey: [...OPTION_KEY, 'history', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => pageOf<OptionChange>(api.call(optionHistoryRoutes.list, { query, signal })),
  })
}

export function revertChange(id: number) {
  return api.call(optionHistoryRoutes.revert, { body: { id } })
}

/**
 * Call after a change: refreshes the forms, the history, the status of the site, and the pages whose text is
 * a setting.
 */
export function useRefreshSettings(): () => Promise<void> {
  const client = useQueryClient()
  return () => refresh(client)
}

const SITE_KEYS = [OPTION_KEY, statusQuery.queryKey, ['home'], ['about'], ['notice'], ['group']] as const

async function refresh(client: QueryClient): Promise<void> {
  await Promise.all(SITE_KEYS.map((queryKey) => client.invalidateQueries({ queryKey: [...queryKey] })))
}
