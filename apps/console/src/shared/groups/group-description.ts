import { groupMessages } from './i18n.ts'

const described = ['default', 'vip'] as const

/** What the operator says of a group; the descriptions of a new site are translated. */
export function groupDescription(description: string): string {
  const key = described.find((name) => groupMessages.texts.zh[name] === description)
  return key === undefined ? description : groupMessages.t(key)
}
