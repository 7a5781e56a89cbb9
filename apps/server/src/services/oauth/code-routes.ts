import { BOUND_MESSAGE, type OAuthProviderName, type oauthRoutes } from '@tollgate/contract/oauth'
import { problem } from '@tollgate/problems/problem'
import { Answer, type Handler } from '../handler.ts'
import { bindPerson } from './bind.ts'
import { type OAuthProvider, authorizeUrl, exchangeCode } from './oauth-provider.ts'
import { providers, requireOpen } from './enabled-providers.ts'
import { enter } from './enter.ts'
import type { OAuthServices } from './services.ts'
import { beginState, endState } from './states.ts'

export type OAuthProviders = Readonly<Record<OAuthProviderName, OAuthProvider>>

/**
 * Starts a sign-in. If the user is already signed in, it starts a binding of the provider to the account,
 * which requires a recent sign-in.
 */
export function beginSignIn(
  services: OAuthServices,
  oauthProviderNames: OAuthProviders,
): Handler<typeof oauthRoutes.state> {
  return async ({ query, actor, browser }) => {
    if (query.provider) requireOpen(services.options, query.provider)
    const provider = query.provider && oauthProviderNames[query.provider]
    const purpose = { userId: actor?.id ?? 0, affCode: query.aff }
    const begun = await beginState(services, { ...purpose, provider, browser })
    if (!provider) return begun.state
    const authorize_url = await authorizeUrl(services, provider, begun)
    return new Answer({ data: begun.state, extra: { authorize_url } })
  }
}

/** Handles the callback of a provider: the same route signs in or binds, depending on how it was started. */
export function completeSignIn(
  services: OAuthServices,
  provider: OAuthProvider,
): Handler<typeof oauthRoutes.github> {
  const { label } = providers[provider.name]
  return async ({ query, actor, browser, session, guard, address, language }) => {
    requireOpen(services.options, provider.name)
    const { begun, userId, affCode } = await endState(services, {
      state: query.state,
      provider: provider.name,
      browser,
      actorId: actor?.id ?? 0,
    })
    guard.require({ when: userId !== 0 })
    if (query.error !== undefined || query.code === '') throw problem('door_denied', { provider: label })
    const person = await exchangeCode(services, provider, { begun, code: query.code, iss: query.iss })
    if (userId === 0) return enter(services, { person, affCode, session, address, language })
    await bindPerson(services, { person, userId, address, language })
    return new Answer({ data: null, message: BOUND_MESSAGE })
  }
}
