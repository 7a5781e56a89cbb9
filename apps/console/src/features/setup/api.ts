import { queryOptions } from '@tanstack/react-query'
import { sessionRoutes } from '@tollgate/contract/session'
import { setupRoutes } from '@tollgate/contract/setup'
import { api } from '../../shared/api/client.ts'
import { queryClient } from '../../shared/api/query-client.ts'
import { signIn } from '../../shared/session/session.ts'
import { statusQuery } from '../../shared/session/status.ts'

export type UsageMode = 'external' | 'self' | 'demo'

export interface SetupAnswers {
  readonly username: string
  readonly password: string
  readonly confirmPassword: string
  readonly mode: UsageMode
  /** "" where no setup token is required. */
  readonly token: string
}

export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => api.call(setupRoutes.read, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Runs the first-run setup and signs in the new super admin. */
export async function runSetup({ mode, token, ...account }: SetupAnswers): Promise<void> {
  const flags = { SelfUseModeEnabled: mode === 'self', DemoSiteEnabled: mode === 'demo' }
  await api.call(setupRoutes.run, { body: { ...account, ...flags, setup_token: token } })
  await queryClient.invalidateQueries(statusQuery)
  if (account.username !== '') await trySignIn(account)
}

/**
 * The setup has already succeeded, so a failed sign-in is ignored: the next page will ask the user to sign
 * in.
 */
async function trySignIn({ username, password }: Pick<SetupAnswers, 'username' | 'password'>): Promise<void> {
  const user = await api
    .call(sessionRoutes.login, { body: { username: username.trim(), password } })
    .catch(() => undefined)
  if (user !== undefined) signIn(user)
}
