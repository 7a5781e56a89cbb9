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
  /** "" where none is asked for. */
  readonly token: string
}

export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => api.call(setupRoutes.read, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Sets the site up and signs its new owner in. */
export async function runSetup({ mode, token, ...account }: SetupAnswers): Promise<void> {
  const flags = { SelfUseModeEnabled: mode === 'self', DemoSiteEnabled: mode === 'demo' }
  await api.call(setupRoutes.run, { body: { ...account, ...flags, setup_token: token } })
  await queryClient.invalidateQueries(statusQuery)
  if (account.username !== '') await trySignIn(account)
}

/** The setup itself is done: a sign-in that fails now only means that the next page asks for it. */
async function trySignIn({ username, password }: Pick<SetupAnswers, 'username' | 'password'>): Promise<void> {
  const user = await api
    .call(sessionRoutes.login, { body: { username: username.trim(), password } })
    .catch(() => undefined)
  if (user !== undefined) signIn(user)
}
