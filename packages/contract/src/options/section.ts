import type { OptionDefinition, Words } from './definition.ts'

export type DeclaredSettings = Readonly<Record<string, OptionDefinition>>

/** Settings that stand and are saved together in a form, in their order. */
export interface SettingSection<Declared extends DeclaredSettings = DeclaredSettings> {
  readonly key: string
  readonly title: Words
  readonly purpose: Words
  /** Further words by which the search finds it: of what stands in it without being a setting. */
  readonly finds?: readonly Words[]
  /** A setting that must be filled before anything of this section can be saved. */
  readonly needs?: string
  /** Where the provider sends people back to, after the server address; shown to be copied. */
  readonly callbackPath?: string
  /** Changing any of its settings needs a recent sign-in. */
  readonly isGuarded?: boolean
  readonly settings: Declared
}

/** A tab of the settings page. */
export interface SettingTab {
  /** As in the address: `?tab=system`. */
  readonly key: string
  readonly title: Words
  readonly sections: readonly SettingSection[]
}

/** Keeps the keys of its settings and the types of their values. */
export function section<Declared extends DeclaredSettings>(
  declared: SettingSection<Declared>,
): SettingSection<Declared> {
  return declared
}
