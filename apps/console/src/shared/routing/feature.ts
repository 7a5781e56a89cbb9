import type { ComponentType } from 'react'
import type { IconName } from '../icon/glyphs.ts'
import type { Language } from '../i18n/language.ts'
import type { PaletteEntry } from '../palette/palette-store.ts'
import type { SearchSchema } from './search.ts'

/** `public`: everybody; `user`: signed-in users; `admin`: role 10 and above; `root`: role 100. */
export type FeatureAccess = 'public' | 'user' | 'admin' | 'root'

export type MenuSection = 'top' | 'console' | 'admin' | 'personal'

export interface MenuEntry {
  readonly section: MenuSection
  readonly icon: IconName
  /** Position within the section, smallest first. */
  readonly order: number
  /** The entry is shown only if the operator has enabled this feature. */
  readonly flag?: 'enable_data_export' | 'enable_drawing' | 'enable_task'
}

/** One page of the console, with everything that the shell needs before the page's code is loaded. */
export interface Feature {
  readonly name: string
  /** In the router's syntax: `/channel` or `/user/edit/$id`. */
  readonly path: `/${string}`
  readonly access: FeatureAccess
  readonly title: Readonly<Record<Language, string>>
  /**
   * `console` has the side menu; `site` has only the top bar; `either` has the side menu for signed-in users.
   */
  readonly layout: 'console' | 'site' | 'either'
  /** Absent: the page is reached only by links. */
  readonly menu?: MenuEntry
  /** The schema of the search parameters in the address. */
  readonly search?: SearchSchema
  /** `false` for pages that use no component of the library: they open without loading it. */
  readonly needsLibrary?: boolean
  readonly load: () => Promise<{ readonly default: ComponentType }>
  /** Lists a page without a menu entry in the command palette. */
  readonly isListedInPalette?: boolean
  /** Finds further palette entries that belong to this page: channels by name, tokens by name. */
  readonly find?: (text: string, signal: AbortSignal) => Promise<readonly PaletteEntry[]>
}

export function defineFeature(feature: Feature): Feature {
  return feature
}
