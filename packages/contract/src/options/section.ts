import type { OptionDefinition, Words } from './definition.ts'

export type DeclaredSettings = Readonly<Record<string, OptionDefinition>>

/** Settings that are shown and saved together in a form, in this order. */
export interface SettingSection<Declared extends DeclaredSettings = DeclaredSettings> {
  readonly key: string
  readonly title: Words
  readonly purpose: Words
  /** Additional search terms, for content of the section that is not a setting. */
  readonly finds?: readonly Words[]
  /** A setting that must be filled in before the section can be saved. */
  readonly needs?: string
  /** Path of the sign-in callback after the server address; shown so that the operator can copy it. */
  readonly callbackPath?: string
  /** Changing any setting of the section requires a recent sign-in. */
  readonly isGuarded?: boolean
  readonly settings: Declared
}

export interface SettingTab {
  /** As in the page address: `?tab=system`. */
  readonly key: string
  readonly title: Words
  readonly sections: readonly SettingSection[]
}

/** Preserves the keys of the settings and the types of their values. */
export function section<Declared extends DeclaredSettings>(
  declared: SettingSection<Declared>,
): SettingSection<Declared> {
  return declared
}
