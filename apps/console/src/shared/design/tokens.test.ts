import { describe, expect, it } from 'vitest'
import { type Palette, palettes, seriesColours, tokensStylesheet } from './tokens.ts'

const textPairs: readonly (readonly [keyof Palette, keyof Palette])[] = [
  ['ink', 'page'],
  ['text', 'surface'],
  ['muted', 'page'],
  ['muted', 'surface'],
  ['muted', 'sunken'],
  ['muted', 'accentWash'],
  ['accent', 'surface'],
  ['accent', 'accentWash'],
  ['onInk', 'ink'],
  ['onInk', 'inkHover'],
  ['ok', 'surface'],
  ['fair', 'surface'],
  ['look', 'surface'],
  ['act', 'surface'],
  ['text', 'okWash'],
  ['text', 'lookWash'],
  ['text', 'actWash'],
]

describe.each(['light', 'dark'] as const)('the %s theme', (name) => {
  const palette = palettes[name]

  it.each(textPairs)('has enough contrast for text in %s on %s', (front, back) => {
    expect(contrast(palette[front], palette[back])).toBeGreaterThanOrEqual(4.5)
  })

  it('has ten distinct chart colours with enough contrast', () => {
    const colours = seriesColours[name]
    expect(new Set(colours).size).toBe(10)
    for (const colour of colours) expect(contrast(colour, palette.surface)).toBeGreaterThanOrEqual(3)
  })

  it('has enough contrast for the edges of controls', () => {
    expect(contrast(palette.strongLine, palette.surface)).toBeGreaterThanOrEqual(3)
    expect(contrast(palette.accent, palette.page)).toBeGreaterThanOrEqual(3)
  })
})

it('has a CSS variable for every token, in both themes', () => {
  const sheet = tokensStylesheet()
  expect(sheet.match(/--accent-wash:/g)).toHaveLength(2)
  expect(sheet).toContain('--space-12: 12px;')
  expect(sheet).toContain('--radius-card: 10px;')
})

/** WCAG 2 contrast ratio: (lighter + 0.05) / (darker + 0.05). */
function contrast(left: string, right: string): number {
  const [darker = 0, lighter = 0] = [luminance(left), luminance(right)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[0-9a-f]{2}/gi) ?? []).map((hex) =>
    linear(Number.parseInt(hex, 16) / 255),
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linear(channel: number): number {
  return channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}
