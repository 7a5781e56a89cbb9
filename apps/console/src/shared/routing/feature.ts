import type { ComponentType } from 'react'
import type { IconName } from '../icon/glyphs.ts'
import type { Language } from '../i18n/language.ts'
import type { PaletteEntry } from '../palette/palette-store.ts'
import type { SearchSchema } from './search.ts'

/** `public` everybody; `user` who is signed in; `admin` role 10 and above; `root` role 100. */
export type FeatureAccess = 'public' | 'user' | 'admin' | 'root'

export type MenuSection = 'top' | 'console' | 'admin' | 'personal'

export interface MenuEntry {
  readonly section: MenuSection
  readonly icon: IconName
  /** Order inside the section, smallest first. */
  readonly order: number
  /** The entry is shown only where the operator has this switched on. */
  readonly flag?: 'enable_data_export' | 'enable_drawing' | 'enable_task'
}

/** One page of the console: everything the shell has to know about it before its code is loaded. */
export interface Feature {
  readonly name: string
  /** As the router writes it, `/channel` or `/user/edit/$id`. */
  readonly path: `/${string}`
  readonly access: FeatureAccess
  readonly title: Readonly<Record<Language, string>>
  /** `console` has the side menu; `site` only the top bar; `either` the side menu for people who are signed in. */
  readonly layout: 'console' | 'site' | 'either'
  /** Missing: the page is reached by links only. */
  readonly menu?: MenuEntry
  /** What the address may carry after the question mark. */
  readonly search?: SearchSchema
  /** `false` for pages that use no component of the library: they open without loading it. */
  readonly needsLibrary?: boolean
  readonly load: () => Promise<{ readonly default: ComponentType }>
  /** For a page without a menu entry that is still worth going to by name. */
  readonly isListedInPalette?: boolean
  /** What the palette finds here besides the page itself: channels by name, tokens by name. */
  readonly find?: (text: string, signal: AbortSignal) => Promise<readonly PaletteEntry[]>
}

export function defineFeature(feature: Feature): Feature {
  return feature
}
