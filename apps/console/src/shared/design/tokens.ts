/**
 * The only place that defines colours, radii and durations. `theme.ts` converts these values to the component
 * library's theme; the build converts them to the CSS variables of `virtual:design-tokens.css`.
 */
export type ThemeName = 'light' | 'dark'

export interface Palette {
  readonly page: string
  readonly surface: string
  readonly sunken: string
  readonly line: string
  readonly faintLine: string
  /**
   * Edge of a control without another visible mark, such as check boxes and switches. At least 3:1 against
   * the surface.
   */
  readonly strongLine: string
  readonly ink: string
  readonly text: string
  readonly muted: string
  readonly accent: string
  readonly accentWash: string
  /** Text on an `ink` background: the label of a primary button. */
  readonly onInk: string
  readonly inkHover: string
  readonly ok: string
  /** Lime: between good and worth a look. */
  readonly fair: string
  readonly look: string
  readonly act: string
  /** Background colours of messages in these tones. */
  readonly okWash: string
  readonly lookWash: string
  readonly actWash: string
  readonly veil: string
  readonly lift: string
}

export const palettes: Readonly<Record<ThemeName, Palette>> = {
  light: {
    page: '#f6f7f9',
    surface: '#ffffff',
    sunken: '#f1f3f6',
    line: '#e4e7ec',
    faintLine: '#eef0f3',
    strongLine: '#8590a2',
    ink: '#101828',
    text: '#1d2939',
    // A little darker than the usual #667085, whose contrast is too low on `sunken` (4.48:1) and on the wash
    // (4.3:1).
    muted: '#636d82',
    accent: '#2f5fe0',
    accentWash: '#eaf0ff',
    onInk: '#ffffff',
    inkHover: '#2b3547',
    ok: '#13795b',
    fair: '#4d7c0f',
    look: '#b54708',
    act: '#c4320a',
    okWash: '#edf7f2',
    lookWash: '#fdf4e8',
    actWash: '#fdf0ec',
    veil: 'rgb(16 24 40 / 40%)',
    lift: '0 0 0 1px #e4e7ec, 0 12px 32px rgb(16 24 40 / 12%)',
  },
  dark: {
    page: '#0c0f14',
    surface: '#12161d',
    sunken: '#171c25',
    line: '#242b36',
    faintLine: '#1c222c',
    strongLine: '#677387',
    ink: '#f2f4f7',
    text: '#d9dee7',
    muted: '#8f9bb0',
    accent: '#7aa2ff',
    accentWash: '#1a2440',
    onInk: '#0c0f14',
    inkHover: '#cfd5df',
    ok: '#4cc38a',
    fair: '#a3d651',
    look: '#f5a524',
    act: '#ff8b6b',
    okWash: '#11221c',
    lookWash: '#251d10',
    actWash: '#291813',
    veil: 'rgb(0 0 0 / 60%)',
    lift: '0 0 0 1px #242b36, 0 12px 32px rgb(0 0 0 / 50%)',
  },
}

/** Colours of chart series, each at least 3:1 against the surface, in order of use. */
export const seriesColours: Readonly<Record<ThemeName, readonly string[]>> = {
  light: [
    '#2f5fe0',
    '#0d8a6a',
    '#c2570c',
    '#7c3aed',
    '#0e7490',
    '#be185d',
    '#4d7c0f',
    '#a16207',
    '#4f5d75',
    '#b91c1c',
  ],
  dark: [
    '#7aa2ff',
    '#4cc38a',
    '#f5a524',
    '#b794f6',
    '#4fd1e0',
    '#f687b3',
    '#a3d651',
    '#e3c15b',
    '#9fb0c8',
    '#ff8b6b',
  ],
}

const systemFaces =
  "-apple-system, 'Segoe UI', 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"

export const type = {
  text: `'Inter Variable', ${systemFaces}`,
  code: "'JetBrains Mono Variable', ui-monospace, 'SFMono-Regular', Menlo, Consolas, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', monospace",
  dense: { sizePx: 13, linePx: 20 },
  reading: { sizePx: 15, linePx: 24 },
  small: { sizePx: 12, linePx: 16 },
  title: { sizePx: 18, linePx: 24 },
  display: { sizePx: 40, linePx: 48 },
} as const

export const radius = { controlPx: 6, cardPx: 10 } as const

/** All allowed spacings. */
export const spacePx = [4, 8, 12, 16, 20, 24, 32, 40, 48, 64] as const

export const size = {
  controlPx: 32,
  rowPx: 36,
  topBarPx: 56,
  sideMenuPx: 200,
  sideMenuFoldedPx: 60,
  /** Screens of this width or less get the phone layout. */
  phoneMaxPx: 600,
} as const

export const motionMs = 120

/** The style sheet with the variables of both themes; `data-theme` on the root element selects one. */
export function tokensStylesheet(): string {
  const shared = {
    '--font-text': type.text,
    '--font-code': type.code,
    '--radius-control': `${radius.controlPx}px`,
    '--radius-card': `${radius.cardPx}px`,
    '--motion': `${motionMs}ms`,
    '--top-bar': `${size.topBarPx}px`,
    '--side-menu': `${size.sideMenuPx}px`,
    '--side-menu-folded': `${size.sideMenuFoldedPx}px`,
    '--row': `${size.rowPx}px`,
    '--control': `${size.controlPx}px`,
    ...fontVariables(),
    ...Object.fromEntries(spacePx.map((px) => [`--space-${px}`, `${px}px`])),
  }
  return [
    block(':root', shared),
    block(":root, [data-theme='light']", { 'color-scheme': 'light', ...colourVariables(palettes.light) }),
    block("[data-theme='dark']", { 'color-scheme': 'dark', ...colourVariables(palettes.dark) }),
  ].join('\n')
}

function fontVariables(): Record<string, string> {
  const steps = {
    small: type.small,
    dense: type.dense,
    reading: type.reading,
    title: type.title,
    display: type.display,
  }
  return Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [
      `--type-${name}`,
      `${step.sizePx}px/${step.linePx}px var(--font-text)`,
    ]),
  )
}

function colourVariables(palette: Palette): Record<string, string> {
  return Object.fromEntries(Object.entries(palette).map(([name, value]) => [`--${kebab(name)}`, value]))
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function block(selector: string, variables: Record<string, string>): string {
  const lines = Object.entries(variables).map(([name, value]) => `  ${name}: ${value};`)
  return `${selector} {\n${lines.join('\n')}\n}`
}
