import { create } from 'zustand'
import type { IconName } from '../icon/glyphs.ts'

/** One line of the palette: a page, a thing with a page, or something to do at once. */
export interface PaletteEntry {
  readonly key: string
  readonly title: string
  /** What tells two entries of the same title apart: an id, a group. */
  readonly detail?: string
  readonly icon?: IconName
  /** Other words by which the entry is found, such as its title in the other language. */
  readonly keywords?: string
  /** Where it leads, with search parameters; or */
  readonly to?: string
  /** what it does. */
  readonly run?: () => void
}

export const usePaletteStore = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }))

export function openPalette(): void {
  usePaletteStore.setState({ isOpen: true })
}

export function closePalette(): void {
  usePaletteStore.setState({ isOpen: false })
}

/** Entries that contain every word that was typed, those whose title begins with it first. */
export function matching(entries: readonly PaletteEntry[], typed: string): readonly PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const found = entries.filter((entry) => words.every((word) => haystack(entry).includes(word)))
  const [first = ''] = words
  return found.toSorted((left, right) => Number(startsWith(right, first)) - Number(startsWith(left, first)))
}

function haystack(entry: PaletteEntry): string {
  return `${entry.title} ${entry.detail ?? ''} ${entry.keywords ?? ''}`.toLowerCase()
}

function startsWith(entry: PaletteEntry, word: string): boolean {
  return word !== '' && entry.title.toLowerCase().startsWith(word)
}
