import { groupMessages } from './i18n.ts'

const described = ['default', 'vip'] as const

/** The operator's description of a group; default descriptions are translated. */
export function groupDescription(description: string): string {
  const key = described.find((name) => groupMessages.texts.zh[name] === description)
  return key === undefined ? description : groupMessages.t(key)
}
