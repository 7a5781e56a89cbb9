import type { SignInProviderName } from '@tollgate/contract/oauth'
import { type Language, problem } from '@tollgate/problems/problem'
import { isSwitchedOn } from '../option/switched-on.ts'
import type { Options } from '../services.ts'
import type { SignInMethods } from '@tollgate/store/accounts/identities'

/** Facts about a sign-in provider besides its protocol. */
interface ProviderFacts {
  /** Name shown to people. */
  readonly label: Readonly<Record<Language, string>>
  readonly switchKey: (typeof switchKeys)[number]
}

const switchKeys = [
  'GitHubOAuthEnabled',
  'oidc.enabled',
  'LinuxDOOAuthEnabled',
  'WeChatAuthEnabled',
  'TelegramOAuthEnabled',
] as const

export const providers: Readonly<Record<SignInProviderName, ProviderFacts>> = {
  github: { label: same('GitHub'), switchKey: 'GitHubOAuthEnabled' },
  oidc: { label: same('OIDC'), switchKey: 'oidc.enabled' },
  linuxdo: { label: same('Linux DO'), switchKey: 'LinuxDOOAuthEnabled' },
  wechat: { label: { en: 'WeChat', zh: '微信' }, switchKey: 'WeChatAuthEnabled' },
  telegram: { label: same('Telegram'), switchKey: 'TelegramOAuthEnabled' },
}

function same(name: string): ProviderFacts['label'] {
  return { en: name, zh: name }
}

export function isProviderEnabled(options: Options, provider: SignInProviderName): boolean {
  return isSwitchedOn(options, providers[provider].switchKey)
}

export function requireOpen(options: Options, provider: SignInProviderName): void {
  if (!isProviderEnabled(options, provider))
    throw problem('door_closed', { provider: providers[provider].label })
}

/**
 * Whether the account has a sign-in method that is enabled on this site. An email address alone is not one.
 */
export function canSignIn(options: Options, ways: SignInMethods): boolean {
  const byPassword = ways.hasPassword && options.get('PasswordLoginEnabled')
  return byPassword || ways.providers.some((provider) => isProviderEnabled(options, provider))
}
