import { theme as antTheme, type ThemeConfig } from 'antd'
import { motionMs, palettes, radius, size, type ThemeName, type } from './tokens.ts'

/** The component library's theme, derived from the design tokens. */
export function libraryTheme(name: ThemeName): ThemeConfig {
  return {
    algorithm: name === 'dark' ? antTheme.darkAlgorithm : antTheme.defaultAlgorithm,
    cssVar: { key: `tollgate-${name}` },
    hashed: false,
    token: globalTokens(name),
    components: componentTokens(name),
  }
}

function globalTokens(name: ThemeName): ThemeConfig['token'] {
  const palette = palettes[name]
  return {
    colorPrimary: palette.accent,
    colorInfo: palette.accent,
    colorLink: palette.accent,
    colorLinkHover: palette.accent,
    colorLinkActive: palette.accent,
    colorSuccess: palette.ok,
    colorWarning: palette.look,
    colorError: palette.act,
    colorBgLayout: palette.page,
    colorBgContainer: palette.surface,
    colorBgElevated: palette.surface,
    colorBgMask: palette.veil,
    colorBorder: palette.line,
    colorBorderSecondary: palette.faintLine,
    colorSplit: palette.faintLine,
    colorText: palette.text,
    colorTextHeading: palette.ink,
    colorTextSecondary: palette.muted,
    colorTextTertiary: palette.muted,
    colorTextDescription: palette.muted,
    colorTextPlaceholder: palette.muted,
    colorIcon: palette.muted,
    colorIconHover: palette.ink,
    controlItemBgHover: palette.sunken,
    controlItemBgActive: palette.accentWash,
    controlItemBgActiveHover: palette.accentWash,
    controlOutline: palette.accentWash,
    fontFamily: type.text,
    fontFamilyCode: type.code,
    fontSize: type.dense.sizePx,
    lineHeight: type.dense.linePx / type.dense.sizePx,
    fontWeightStrong: 600,
    controlHeight: size.controlPx,
    borderRadius: radius.controlPx,
    borderRadiusLG: radius.cardPx,
    borderRadiusSM: 4,
    boxShadow: palette.lift,
    boxShadowSecondary: palette.lift,
    boxShadowTertiary: 'none',
    motionDurationFast: `${motionMs / 2}ms`,
    motionDurationMid: `${motionMs}ms`,
    motionDurationSlow: `${motionMs}ms`,
    motion: !prefersStillness(),
    wireframe: false,
  }
}

function componentTokens(name: ThemeName): ThemeConfig['components'] {
  const palette = palettes[name]
  return {
    Button: {
      fontWeight: 500,
      borderRadiusLG: radius.controlPx,
      colorBgContainerDisabled: 'transparent',
      colorPrimary: palette.ink,
      colorPrimaryHover: palette.inkHover,
      colorPrimaryActive: palette.inkHover,
      primaryColor: palette.onInk,
      primaryShadow: 'none',
      defaultShadow: 'none',
      dangerShadow: 'none',
      defaultColor: palette.ink,
      defaultHoverColor: palette.ink,
      defaultHoverBorderColor: palette.strongLine,
      defaultActiveColor: palette.ink,
      defaultActiveBorderColor: palette.strongLine,
    },
    Table: {
      headerBg: palette.sunken,
      headerColor: palette.muted,
      headerSplitColor: 'transparent',
      headerSortActiveBg: palette.sunken,
      headerSortHoverBg: palette.faintLine,
      bodySortBg: 'transparent',
      borderColor: palette.faintLine,
      rowHoverBg: palette.page,
      rowSelectedBg: palette.accentWash,
      rowSelectedHoverBg: palette.accentWash,
      rowExpandedBg: palette.sunken,
      cellPaddingBlockSM: 8,
      cellPaddingInlineSM: 12,
      headerBorderRadius: radius.cardPx,
    },
    Input: { borderRadiusLG: radius.controlPx, activeShadow: `0 0 0 3px ${palette.accentWash}` },
    InputNumber: { borderRadiusLG: radius.controlPx, activeShadow: `0 0 0 3px ${palette.accentWash}` },
    Select: { borderRadiusLG: radius.controlPx, multipleItemBg: palette.sunken },
    Checkbox: { colorBorder: palette.strongLine },
    Radio: { colorBorder: palette.strongLine },
    Switch: { colorTextQuaternary: palette.strongLine, colorTextTertiary: palette.muted },
    Slider: { railBg: palette.line, railHoverBg: palette.line },
    Form: { labelColor: palette.text, verticalLabelPadding: '0 0 4px', itemMarginBottom: 20 },
    Modal: { titleFontSize: 15 },
    Tag: { defaultBg: 'transparent', defaultColor: palette.text },
    Tooltip: { colorBgSpotlight: name === 'dark' ? palette.line : palette.ink },
    Segmented: { trackBg: palette.sunken, itemSelectedBg: palette.surface },
    Alert: {
      defaultPadding: '8px 12px',
      colorInfoBg: palette.accentWash,
      colorSuccessBg: palette.okWash,
      colorWarningBg: palette.lookWash,
      colorErrorBg: palette.actWash,
      colorInfoBorder: palette.line,
      colorSuccessBorder: palette.line,
      colorWarningBorder: palette.line,
      colorErrorBorder: palette.line,
    },
  }
}

function prefersStillness(): boolean {
  return globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false
}
