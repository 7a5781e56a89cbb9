import { type OAuthProviderName, type SignInProviderName, oauthRoutes } from '@tollgate/contract/oauth'
import type { Status } from '@tollgate/contract/status'
import { api } from '../api/client.ts'
import { rememberedAff } from './aff.ts'

/** The common names of the sign-in providers; the one behind OIDC is chosen by the operator. */
export const providerLabels: Readonly<Record<SignInProviderName, string>> = {
  github: 'GitHub',
  oidc: 'OIDC',
  linuxdo: 'Linux DO',
  wechat: 'WeChat',
  telegram: 'Telegram',
}

const switches: Readonly<Record<SignInProviderName, keyof Status>> = {
  github: 'github_oauth',
  oidc: 'oidc_enabled',
  linuxdo: 'linuxdo_oauth',
  wechat: 'wechat_login',
  telegram: 'telegram_oauth',
}

/** All sign-in providers, in display order. */
export const signInProviders = [
  'github',
  'oidc',
  'linuxdo',
  'wechat',
  'telegram',
] as const satisfies readonly SignInProviderName[]

/** The sign-in providers that the operator enabled, in display order. */
export function openSignInProviders(status: Status): readonly SignInProviderName[] {
  return signInProviders.filter((provider) => status[switches[provider]] === true)
}

/**
 * The enabled providers that can create an account. Telegram cannot, because it reports too little about a
 * person.
 */
export function providersForRegistration(status: Status): readonly SignInProviderName[] {
  return openSignInProviders(status).filter((provider) => provider !== 'telegram')
}

const RETURN_KEY = 'door-return'

/**
 * Redirects to the provider. The server chooses the address and ties the callback to this browser. If the
 * user is already signed in, this starts a binding. `returnTo` is the page to open afterwards.
 */
export async function redirectToProvider(provider: OAuthProviderName, returnTo: string): Promise<void> {
  const { extra } = await api.callWhole(oauthRoutes.state, {
    query: { provider: provider, aff: rememberedAff() },
  })
  const url = extra['authorize_url']
  if (typeof url !== 'string') throw new Error('the server did not say where to go')
  storeReturnTo(returnTo)
  globalThis.location.assign(url)
}

/** Stores the page to open afterwards, for a provider whose own button leaves the page. */
export function storeReturnTo(returnTo: string): void {
  sessionStorage.setItem(RETURN_KEY, returnTo)
}

/** Returns the page to open after the callback, and forgets it. "" if none was stored in this tab. */
export function takeReturnTo(): string {
  const kept = sessionStorage.getItem(RETURN_KEY) ?? ''
  sessionStorage.removeItem(RETURN_KEY)
  return kept
}
