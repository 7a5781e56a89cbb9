import type { DoorName } from '@tollgate/contract/oauth'
import { type Language, problem } from '@tollgate/kit/problem'
import { isSwitchedOn } from '../option/switched-on.ts'
import type { Options } from '../services.ts'

/** What differs between the doors beside how they open. */
interface DoorFacts {
  /** How people call it. */
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

export const doors: Readonly<Record<DoorName, DoorFacts>> = {
  github: { label: same('GitHub'), switchKey: 'GitHubOAuthEnabled' },
  oidc: { label: same('OIDC'), switchKey: 'oidc.enabled' },
  linuxdo: { label: same('Linux DO'), switchKey: 'LinuxDOOAuthEnabled' },
  wechat: { label: { en: 'WeChat', zh: '微信' }, switchKey: 'WeChatAuthEnabled' },
  telegram: { label: same('Telegram'), switchKey: 'TelegramOAuthEnabled' },
}

function same(name: string): DoorFacts['label'] {
  return { en: name, zh: name }
}

export function isDoorOpen(options: Options, door: DoorName): boolean {
  return isSwitchedOn(options, doors[door].switchKey)
}

export function requireOpen(options: Options, door: DoorName): void {
  if (!isDoorOpen(options, door)) throw problem('door_closed', { door: doors[door].label })
}
