import { type ThemeName, palettes, seriesColours } from '../../../shared/design/tokens.ts'
import type { KeySums } from '../series/series.ts'

/** Shared by all charts: the theme's colours, and how a value is formatted. */
export interface ChartFormat {
  readonly theme: ThemeName
  readonly value: (amount: number) => string
  /** Formats an amount on an axis. */
  readonly axis: (amount: number) => string
  readonly keyName: (key: KeySums) => string
}

/** A key has the same colour in every chart of the page. */
export function colourOf(theme: ThemeName, key: KeySums, keys: readonly KeySums[]): string {
  if (key.isRest) return palettes[theme].strongLine
  const colours = seriesColours[theme]
  return colours[keys.indexOf(key) % colours.length] ?? palettes[theme].accent
}

/** The hover colour of an element: 80 % opacity makes it a little lighter on white and darker on black. */
export function pointedAt(colour: string): string {
  return `${colour}cc`
}
