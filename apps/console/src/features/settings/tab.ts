import type { OptionKey } from '@tollgate/contract/options'
import type { Words } from '@tollgate/contract/options/kinds'
import type { ComponentType } from 'react'

/**
 * A tab of the settings as data: which settings stand in which section, and what stands beside them. What a setting is
 * called, does and accepts is in the contract; a new setting in a form is its key in one of these lists.
 */
export interface SettingTab {
  /** As in the address: `?tab=system`. */
  readonly key: string
  readonly title: Words
  readonly sections: readonly SettingSection[]
}

export interface SettingSection {
  readonly key: string
  readonly title: Words
  readonly purpose: Words
  readonly fields: readonly SettingField[]
  /** A setting that must be filled before anything of this section can be saved. */
  readonly needs?: OptionKey
  /** Where the provider sends people back to, after the server address; shown to be copied. */
  readonly callbackPath?: string
  /** What can be tried or looked up here: a test mail, a well-known document. */
  readonly Extra?: ComponentType
}

export interface SettingField {
  readonly key: OptionKey
  /** A text of several lines. */
  readonly rows?: number
  /** It can be looked at as visitors will see it. */
  readonly preview?: 'page' | 'line'
  /** Asked before the switch is turned off. */
  readonly confirmOff?: { readonly title: Words; readonly consequence: Words }
}

export function fields(...keys: readonly OptionKey[]): readonly SettingField[] {
  return keys.map((key) => ({ key }))
}

const TEXT_ROWS = 8

/** The same for texts of several lines. */
export function texts(...keys: readonly OptionKey[]): readonly SettingField[] {
  return keys.map((key) => ({ key, rows: TEXT_ROWS }))
}

export function keysOf(tab: SettingTab): readonly OptionKey[] {
  return tab.sections.flatMap((section) => section.fields.map(({ key }) => key))
}
