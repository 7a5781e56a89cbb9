import type { SettingTab } from './tab.ts'
import { modelsTab } from './tabs/models.ts'
import { operationTab } from './tabs/operation.ts'
import { otherTab } from './tabs/other.ts'
import { rateLimitTab } from './tabs/ratelimit.ts'
import { systemTab } from './tabs/system.ts'

/** Every tab of the settings, in their order: one line each. */
export const settingTabs: readonly [SettingTab, ...SettingTab[]] = [
  operationTab,
  rateLimitTab,
  modelsTab,
  systemTab,
  otherTab,
]

/** Addresses of other consoles of this family name tabs we do not have. */
export function tabOf(key: string): SettingTab {
  return settingTabs.find((tab) => tab.key === key) ?? settingTabs[0]
}
