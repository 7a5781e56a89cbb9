import type { z } from 'zod'
import type { OptionDefinition } from './definition.ts'
import { modelsTab } from './models/tab.ts'
import { operationTab } from './operation/tab.ts'
import { otherTab } from './other/tab.ts'
import { rateLimitTab } from './rate-limit/tab.ts'
import type { SettingTab } from './section.ts'
import { systemTab } from './system/tab.ts'
import { type ParsedText, parseText, settingTable } from './table.ts'
import { hiddenSection } from './hidden.ts'

/**
 * Every site setting in the order of the settings page: tabs, their sections, and the declarations in them. A
 * declaration describes a setting completely: the server validates with it, and the console generates its
 * forms and its search from it. A key that is not declared cannot be stored; keys of older releases in the
 * table are kept and ignored.
 */
export const settingTabs = [operationTab, rateLimitTab, modelsTab, systemTab, otherTab] as const

type Section = (typeof settingTabs)[number]['sections'][number] | typeof hiddenSection
type Declared = AllOf<Section['settings']>
/** Converts a union of object types into one type with all their members. */
type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

export type OptionKey = keyof Declared
export type OptionValue<Key extends OptionKey> = z.output<Declared[Key]['schema']>

const tabs: readonly SettingTab[] = settingTabs
const { definitions, guarded } = settingTable([...tabs.flatMap(({ sections }) => sections), hiddenSection])

export const optionKeys: readonly OptionKey[] = [...definitions.keys()].filter(isOptionKey)

/** Changing one of these settings, or reverting it from the history, requires a recent sign-in. */
export const guardedKeys: readonly OptionKey[] = optionKeys.filter((key) => guarded.has(key))

export function isOptionKey(key: string): key is OptionKey {
  return definitions.has(key)
}

/** The definition without its value type, for code that handles all keys alike. */
export function optionDefinition(key: OptionKey): OptionDefinition {
  const definition = definitions.get(key)
  if (definition === undefined) throw new Error(`The setting ${key} is not declared.`)
  return definition
}

export function isGuardedOption(key: OptionKey): boolean {
  return guarded.has(key)
}

export type ParsedOption<Key extends OptionKey> = ParsedText<OptionValue<Key>>

export function parseOption<Key extends OptionKey>(key: Key, text: string): ParsedOption<Key> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the definition is the one of `key`
  return parseText(optionDefinition(key), text) as ParsedOption<Key>
}
