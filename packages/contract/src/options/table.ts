import type { OptionDefinition } from './definition.ts'
import type { SettingSection } from './section.ts'

/** The settings of some sections by key. */
export interface SettingTable {
  readonly definitions: ReadonlyMap<string, OptionDefinition>
  /** Keys of settings whose change requires a recent sign-in. */
  readonly guarded: ReadonlySet<string>
}

/** Throws when two sections declare the same key. */
export function settingTable(sections: readonly SettingSection[]): SettingTable {
  const definitions = new Map<string, OptionDefinition>()
  const guarded = new Set<string>()
  for (const { settings, isGuarded } of sections) {
    for (const [key, definition] of Object.entries(settings)) {
      if (definitions.has(key)) throw new Error(`The setting ${key} is declared twice.`)
      definitions.set(key, definition)
      if (isGuarded || definition.isGuarded) guarded.add(key)
    }
  }
  return { definitions, guarded }
}

export type ParsedText<Value> =
  | { readonly type: 'accepted'; readonly value: Value; readonly text: string }
  /** `where` names the refused entry of a list or map, or is empty. */
  | { readonly type: 'refused'; readonly where: string }

/** Validates a text. For an accepted value, `text` is the normalised form to store. */
export function parseText<Value>(definition: OptionDefinition<Value>, text: string): ParsedText<Value> {
  const parsed = definition.schema.safeParse(text)
  if (!parsed.success) return { type: 'refused', where: parsed.error.issues[0]?.path.join('.') ?? '' }
  return { type: 'accepted', value: parsed.data, text: definition.print(parsed.data) }
}
