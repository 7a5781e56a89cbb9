import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type AdminUser, adminUserRoutes } from '@tollgate/contract/admin-user'
import { type LedgerEntry, ledgerAccounts, type ledgerEntryKinds } from '@tollgate/contract/ledger-entry'
import { type LogRow, logRoutes } from '@tollgate/contract/log'
import type { Token } from '@tollgate/contract/token'
import { api } from '../../shared/api/client.ts'
import { readSelfAgain } from '../../shared/session/self.ts'
import { useKeysetPage } from '../../shared/table/keyset.ts'
import { pageOf } from '../../shared/table/page-of.ts'
import type { UserSearch } from './search.ts'

const USER_KEY = ['user']

/** One page of users, newest first, including deactivated ones. */
export function useUserPage({ keyword, group, role, status, p }: UserSearch, pageSize: number) {
  const query = { keyword, group, role, status, p, page_size: pageSize }
  return useQuery({
    queryKey: [...USER_KEY, 'list', query],
    placeholderData: keepPreviousData,
    // The search route is used only with a keyword, because the server limits how many searches a user may run.
    queryFn: ({ signal }) =>
      pageOf<AdminUser>(
        keyword === ''
          ? api.call(adminUserRoutes.list, { query, signal })
          : api.call(adminUserRoutes.search, { query, signal }),
      ),
  })
}

/** The current state of the user for drawer and form; the list may be outdated. */
export function useUser(id: number) {
  return useQuery({
    queryKey: [...USER_KEY, 'one', id],
    gcTime: 0,
    queryFn: ({ signal }) => api.call(adminUserRoutes.get, { params: { id }, signal }),
  })
}

/** Call after a change: lists, drawers and the reader's own balance are fetched again. */
export function useRefreshUsers(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([client.invalidateQueries({ queryKey: USER_KEY }), readSelfAgain(client)])
  }
}

interface PageOfUser {
  readonly userId: number
  readonly page: number
  readonly pageSize: number
}

export function useTokensOf({ userId, page, pageSize }: PageOfUser) {
  return useQuery({
    queryKey: [...USER_KEY, 'tokens', userId, page, pageSize],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = { p: page, page_size: pageSize }
      return pageOf<Token>(api.call(adminUserRoutes.tokens, { params: { id: userId }, query, signal }))
    },
  })
}

export function useCallsOf({ userId, page, pageSize }: PageOfUser) {
  return useKeysetPage<LogRow>({
    queryKey: [...USER_KEY, 'calls', userId],
    page,
    pageSize,
    read: (place, signal) => api.call(logRoutes.list, { query: { user_id: userId, ...place }, signal }),
  })
}

export type EntryAccount = (typeof ledgerAccounts)[number]
export type EntryKind = (typeof ledgerEntryKinds)[number]

interface EntriesInput extends PageOfUser {
  readonly account: EntryAccount
  /** `undefined`: entries of every kind. */
  readonly kind: EntryKind | undefined
}

export function useEntriesOf({ userId, account, kind, page, pageSize }: EntriesInput) {
  return useKeysetPage<LedgerEntry>({
    queryKey: [...USER_KEY, 'entries', userId, account, kind],
    page,
    pageSize,
    read: (place, signal) => {
      const query = { account, kind, ...place }
      return api.call(adminUserRoutes.entries, { params: { id: userId }, query, signal })
    },
  })
}

const HISTORY_ENTRIES = 100

/** The last entries of a balance, oldest first, for the history chart. */
export function useBalanceHistory(userId: number, account: EntryAccount) {
  return useQuery({
    queryKey: [...USER_KEY, 'history', userId, account],
    queryFn: async ({ signal }): Promise<readonly LedgerEntry[]> => {
      const query = { account, page_size: HISTORY_ENTRIES }
      const { items } = await api.call(adminUserRoutes.entries, { params: { id: userId }, query, signal })
      return items.toReversed()
    },
  })
}
