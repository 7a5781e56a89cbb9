import { redirect } from '@tanstack/react-router'
import { queryClient } from '../shared/api/query-client.ts'
import type { Feature } from '../shared/routing/feature.ts'
import { paths } from '../shared/routing/paths.ts'
import { sessionUser } from '../shared/session/session.ts'
import { rememberedStatus, statusQuery } from '../shared/session/status.ts'

/**
 * Redirects every page to the setup page until the first-run setup is done. A site that was set up at the
 * last visit still is set up, so only the first visit waits for the server.
 */
export async function requireSetup({
  location,
}: {
  readonly location: { readonly pathname: string }
}): Promise<void> {
  const answer = queryClient.ensureQueryData(statusQuery)
  if (rememberedStatus()?.setup === true) {
    answer.catch(() => undefined) // The page that needs the status shows why it is missing.
    return
  }
  const status = await answer
  if (!status.setup && location.pathname !== paths.setup) throw redirect({ to: paths.setup })
}

/** Redirects visitors of a protected page to the sign-in page, which returns them to this page afterwards. */
export function requireSignIn(feature: Feature, href: string): void {
  if (sessionUser() === undefined && feature.access !== 'public') {
    throw redirect({ to: paths.login, search: { returnTo: href } })
  }
}
