import type { Words } from '@tollgate/contract/options/definition'
import type { SettingSection, SettingTab } from '@tollgate/contract/options/section'
import { fieldsOf, type SettingField } from '../tab.ts'

/** A setting, or a whole section. */
export interface FoundSetting {
  readonly tab: SettingTab
  readonly section: SettingSection
  /** `undefined`: the section itself. */
  readonly field: SettingField | undefined
}

/**
 * Settings and sections that match every typed word, in either language; matches in the name come first. A
 * word may occur in the name of the section, as in "github client id", if another one occurs in the setting
 * itself.
 */
export function findSettings(tabs: readonly SettingTab[], typed: string): readonly FoundSetting[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const places = tabs.flatMap((tab) => tab.sections.flatMap((section) => placesOf(tab, section)))
  return places
    .map((place) => ({ place, rank: rankOf(textsOf(place), words) }))
    .filter(({ rank }) => rank !== undefined)
    .toSorted((left, right) => (left.rank ?? 0) - (right.rank ?? 0))
    .map(({ place }) => place)
}

function placesOf(tab: SettingTab, section: SettingSection): readonly FoundSetting[] {
  return [{ tab, section, field: undefined }, ...fieldsOf(section).map((field) => ({ tab, section, field }))]
}

interface Texts {
  readonly name: string
  readonly description: string
  readonly around: string
}

function textsOf({ tab, section, field }: FoundSetting): Texts {
  const title = both(section.title)
  if (field === undefined) {
    const description = both(section.purpose, ...(section.finds ?? []))
    return { name: title, description, around: both(tab.title) }
  }
  const { label, help, choices } = field.definition
  return {
    name: `${both(label)} ${field.key.toLowerCase()}`,
    description: both(help, ...Object.values(choices)),
    around: `${title} ${both(tab.title)}`,
  }
}

/** Lower ranks come first; `undefined` if the texts do not match. */
function rankOf({ name, description, around }: Texts, words: readonly string[]): number | undefined {
  const own = `${name} ${description}`
  if (words.every((word) => name.includes(word))) return 0
  if (words.every((word) => own.includes(word))) return 1
  const fits = words.every((word) => `${own} ${around}`.includes(word))
  return fits && words.some((word) => own.includes(word)) ? 2 : undefined
}

function both(...texts: readonly Words[]): string {
  return texts.map(({ en, zh }) => `${en} ${zh}`.toLowerCase()).join(' ')
}
