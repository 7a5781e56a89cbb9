import { type OAuthProviderName, type SignInProviderName, oauthRoutes } from '@tollgate/contract/oauth'
import type { Status } from '@tollgate/contract/status'
import { api } from '../api/client.ts'
import { rememberedAff } from './aff.ts'

/** How people call the doors; the issuer behind OIDC is the operator's own. */
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

const order = [
  'github',
  'oidc',
  'linuxdo',
  'wechat',
  'telegram',
] as const satisfies readonly SignInProviderName[]

/** The doors the operator opened, in the order they are shown. */
export function openSignInProviders(status: Status): readonly SignInProviderName[] {
  return order.filter((provider) => status[switches[provider]] === true)
}

/** Those of them that make a new account. Telegram says too little of a person for one. */
export function registeringProviders(status: Status): readonly SignInProviderName[] {
  return openSignInProviders(status).filter((provider) => provider !== 'telegram')
}

const RETURN_KEY = 'door-return'

/**
 * Leaves for the provider. The server decides where that is, and binds the way back to this browser; signed in, it is a
 * binding that begins. `returnTo` is where to go on afterwards.
 */
export async function leaveThrough(provider: OAuthProviderName, returnTo: string): Promise<void> {
  const { extra } = await api.callWhole(oauthRoutes.state, {
    query: { provider: provider, aff: rememberedAff() },
  })
  const url = extra['authorize_url']
  if (typeof url !== 'string') throw new Error('the server did not say where to go')
  rememberReturn(returnTo)
  globalThis.location.assign(url)
}

/** For a provider whose own button leaves the page: where to go on afterwards. */
export function rememberReturn(returnTo: string): void {
  sessionStorage.setItem(RETURN_KEY, returnTo)
}

/** Where to go on after the way back; asked once. "" when nothing was remembered in this tab. */
export function takeReturn(): string {
  const kept = sessionStorage.getItem(RETURN_KEY) ?? ''
  sessionStorage.removeItem(RETURN_KEY)
  return kept
}
