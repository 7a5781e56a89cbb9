import type { z } from 'zod'
import type { OptionDefinition } from './options/definition.ts'
import { modelsTab } from './options/models/tab.ts'
import { operationTab } from './options/operation/tab.ts'
import { otherTab } from './options/other/tab.ts'
import { rateLimitTab } from './options/rate-limit/tab.ts'
import type { SettingTab } from './options/section.ts'
import { systemTab } from './options/system/tab.ts'
import { type ParsedText, parseText, settingTable } from './options/table.ts'
import { unshownSection } from './options/unshown.ts'

/**
 * Every site setting, where the settings page shows it: tabs, their sections, and the declarations in them. A declaration
 * says everything of a setting; the server validates by it, and the console makes its forms and its search from it. A key
 * that is not here cannot be stored; keys of older releases found in a table are kept and ignored.
 */
export const settingTabs = [operationTab, rateLimitTab, modelsTab, systemTab, otherTab] as const

type Section = (typeof settingTabs)[number]['sections'][number] | typeof unshownSection
type Declared = AllOf<Section['settings']>
/** One object type with the members of all of them. */
type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

export type OptionKey = keyof Declared
export type OptionValue<Key extends OptionKey> = z.output<Declared[Key]['schema']>

const tabs: readonly SettingTab[] = settingTabs
const { definitions, guarded } = settingTable([...tabs.flatMap(({ sections }) => sections), unshownSection])

export const optionKeys: readonly OptionKey[] = [...definitions.keys()].filter(isOptionKey)

/** Changing one of them, or reverting it from the history, needs a recent sign-in. */
export const guardedKeys: readonly OptionKey[] = optionKeys.filter((key) => guarded.has(key))

export function isOptionKey(key: string): key is OptionKey {
  return definitions.has(key)
}

/** The definition without its value type, for code that treats all keys alike. */
export function optionDefinition(key: OptionKey): OptionDefinition {
  const definition = definitions.get(key)
  if (definition === undefined) throw new Error(`The setting ${key} is not declared.`)
  return definition
}

export function isGuardedOption(key: OptionKey): boolean {
  return guarded.has(key)
}

export type ParsedOption<Key extends OptionKey> = ParsedText<OptionValue<Key>>

/** Checks the text of one key. */
export function parseOption<Key extends OptionKey>(key: Key, text: string): ParsedOption<Key> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the definition is the one of `key`
  return parseText(optionDefinition(key), text) as ParsedOption<Key>
}
