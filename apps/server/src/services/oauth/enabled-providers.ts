import type { SignInProviderName } from '@tollgate/contract/oauth'
import { type Language, problem } from '@tollgate/problems/problem'
import { isSwitchedOn } from '../option/switched-on.ts'
import type { Options } from '../services.ts'

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
