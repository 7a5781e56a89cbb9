import type { DoorName } from '@tollgate/contract/oauth'
import { problem } from '@tollgate/kit/problem'
import { isSwitchedOn } from '../option/switched-on.ts'
import type { Options } from '../services.ts'

/** What differs between the doors beside how they open. */
interface DoorFacts {
  /** How people call it, in every language. */
  readonly label: string
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
  github: { label: 'GitHub', switchKey: 'GitHubOAuthEnabled' },
  oidc: { label: 'OIDC', switchKey: 'oidc.enabled' },
  linuxdo: { label: 'Linux DO', switchKey: 'LinuxDOOAuthEnabled' },
  wechat: { label: 'WeChat', switchKey: 'WeChatAuthEnabled' },
  telegram: { label: 'Telegram', switchKey: 'TelegramOAuthEnabled' },
}

export function isDoorOpen(options: Options, door: DoorName): boolean {
  return isSwitchedOn(options, doors[door].switchKey)
}

export function requireOpen(options: Options, door: DoorName): void {
  if (!isDoorOpen(options, door)) throw problem('door_closed', { door: doors[door].label })
}
