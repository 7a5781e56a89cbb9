import { MutationCache, QueryClient } from '@tanstack/react-query'
import { i18n } from '../i18n/language.ts'
import { notifyFailure } from '../notify/notify.ts'
import { failureText, isWorthRetrying } from './failure.ts'

const FRESH_MS = 10_000
const RETRIES_MAX = 2

/**
 * Queries show their own failure where their data would be. A failed mutation is shown at the top of the
 * page, unless it has `meta: { isFailureShown: true }` because its form or dialog shows the error itself.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < RETRIES_MAX && isWorthRetrying(error),
    },
    mutations: { retry: false },
  },
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (mutation.meta?.['isFailureShown'] !== true) notifyFailure(failureText(error))
    },
  }),
})

/** Some texts from the server depend on the reader's language. */
i18n.on('languageChanged', () => void queryClient.invalidateQueries())
