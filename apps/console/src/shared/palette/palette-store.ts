import { create } from 'zustand'
import type { IconName } from '../icon/glyphs.ts'

/** One entry of the palette: a page, an object with a page, or an action. */
export interface PaletteEntry {
  readonly key: string
  readonly title: string
  /** Distinguishes entries with the same title: an id, a group. */
  readonly detail?: string
  readonly icon?: IconName
  /** Other words that match the entry, such as its title in the other language. */
  readonly keywords?: string
  /** The address that the entry opens, with search parameters. An entry has either `to` or `run`. */
  readonly to?: string
  /** The action that the entry performs. */
  readonly run?: () => void
}

export const usePaletteStore = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }))

export function openPalette(): void {
  usePaletteStore.setState({ isOpen: true })
}

export function closePalette(): void {
  usePaletteStore.setState({ isOpen: false })
}

/** Entries that contain every typed word; those whose title begins with it come first. */
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
