import { type OptionKey, settingTabs } from '@tollgate/contract/options/index'
import type { OptionDefinition } from '@tollgate/contract/options/definition'
import type { SettingSection, SettingTab } from '@tollgate/contract/options/section'

/** Addresses from consoles of new-api may name tabs that do not exist here; these open the first tab. */
export function tabOf(key: string): SettingTab {
  return settingTabs.find((tab) => tab.key === key) ?? settingTabs[0]
}

/** One setting of a form. */
export interface SettingField {
  readonly key: OptionKey
  readonly definition: OptionDefinition
}

type Settings = SettingSection['settings']

const fieldsBySettings = new WeakMap<Settings, readonly SettingField[]>()

/** The same list for a section each time. */
export function fieldsOf({ settings }: { readonly settings: Settings }): readonly SettingField[] {
  const known = fieldsBySettings.get(settings)
  if (known !== undefined) return known
  const fields = readFields(settings)
  fieldsBySettings.set(settings, fields)
  return fields
}

function readFields(settings: Settings): readonly SettingField[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of every section are the option keys
  const declared = Object.entries(settings) as [OptionKey, OptionDefinition][]
  return declared.map(([key, definition]) => ({ key, definition }))
}

export function sectionKeys(section: SettingSection): readonly OptionKey[] {
  return fieldsOf(section).map(({ key }) => key)
}

export function tabKeys({ sections }: SettingTab): readonly OptionKey[] {
  return sections.flatMap(sectionKeys)
}
