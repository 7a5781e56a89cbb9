import type { Self } from '@tollgate/contract/user'
import { type OAuthProviderName, oauthRoutes } from '@tollgate/contract/oauth'
import { api } from '../../shared/api/client.ts'
import { sessionUser } from '../../shared/session/session.ts'

export const returnProviders = ['github', 'oidc', 'linuxdo', 'telegram'] as const
export type ReturnProvider = (typeof returnProviders)[number]

export function isReturnProvider(name: string | undefined): name is ReturnProvider {
  return returnProviders.some((provider) => provider === name)
}

/**
 * Completes a sign-in or a binding. Resolves to the user who signed in, or to `undefined` if an identity was
 * bound to the user already signed in.
 */
export async function completeCallback(
  provider: ReturnProvider,
  fields: Readonly<Record<string, string>>,
): Promise<Self | undefined> {
  if (provider === 'telegram') return comeBackFromTelegram(fields)
  return (await api.call(oauthRoutes[provider], { query: knownFields(fields) })) ?? undefined
}

/**
 * Telegram's widget does not report why it was pressed. If the user is signed in, the purpose was a binding.
 * Telegram signs every field, so all of them are forwarded.
 */
async function comeBackFromTelegram(query: Readonly<Record<string, string>>): Promise<Self | undefined> {
  if (sessionUser() === undefined) return api.call(oauthRoutes.telegram, { query })
  await api.call(oauthRoutes.bindTelegram, { query })
  return undefined
}

function knownFields({ code, state, iss, error }: Readonly<Record<string, string>>) {
  return {
    code,
    state,
    iss,
    error: error?.slice(0, 200),
  }
}

export function isOAuthProvider(provider: ReturnProvider): provider is OAuthProviderName {
  return provider !== 'telegram'
}
