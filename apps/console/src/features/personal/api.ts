import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { accountRoutes } from '@tollgate/contract/account'
import { type SignInProviderName, oauthRoutes } from '@tollgate/contract/oauth'
import { userRoutes } from '@tollgate/contract/user'
import { mailRoutes } from '@tollgate/contract/mail'
import { api } from '../../shared/api/client.ts'
import { readSelfAgain } from '../../shared/session/self.ts'

const SELDOM_CHANGED_MS = 300_000

/** The invitation code; the server creates it on the first request. */
export const affCodeQuery = queryOptions({
  queryKey: ['self', 'aff'],
  staleTime: SELDOM_CHANGED_MS,
  queryFn: ({ signal }) => api.call(accountRoutes.affCode, { signal }),
})

export const sessionsQuery = queryOptions({
  queryKey: ['self', 'sessions'],
  queryFn: ({ signal }) => api.call(accountRoutes.sessions, { signal }),
})

/** `month` as `YYYY-MM`, in UTC; "" for the server's current month. */
export const calendarQuery = (month: string) =>
  queryOptions({
    queryKey: ['self', 'check-in', 'calendar', month],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.call(accountRoutes.checkInCalendar, { query: month === '' ? {} : { month }, signal }),
  })

/** The status of the daily check-in and its possible reward. */
export const checkInStatusQuery = queryOptions({
  queryKey: ['self', 'check-in', 'status'],
  queryFn: ({ signal }) => api.call(accountRoutes.checkInStatus, { signal }),
})

/** Call after a change: the account and all data about it are fetched again. */
export function useRefreshSelf(): () => Promise<void> {
  const client = useQueryClient()
  return () => readSelfAgain(client)
}

export function rename(displayName: string): Promise<null> {
  return api.call(userRoutes.updateSelf, { body: { display_name: displayName } })
}

export function unbindProvider(provider: SignInProviderName): Promise<null> {
  return api.call(oauthRoutes.unbind, { params: { provider } })
}

export function unbindEmail(): Promise<null> {
  return api.call(mailRoutes.unbindEmail)
}

/** A random idempotency key for one transfer: if the button is pressed twice, the transfer is made once. */
export function newOperationKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
