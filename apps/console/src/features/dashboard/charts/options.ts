import dayjs from 'dayjs'
import type { EChartsCoreOption } from 'echarts/core'
import { type ThemeName, palettes, seriesColours, type } from '../../../shared/design/tokens.ts'
import type { Measure } from '../search.ts'
import { type KeySums, type Step, averageFirstMs, averageMs, measured, nameOf } from '../series/series.ts'

/** What the charts share: the theme's colours, and how a value is written. */
export interface ChartLook {
  readonly theme: ThemeName
  readonly value: (amount: number) => string
  readonly keyName: (key: KeySums) => string
}

/** The same key has the same colour in every chart of the page. */
export function colourOf(theme: ThemeName, key: KeySums, keys: readonly KeySums[]): string {
  if (key.isRest) return palettes[theme].strongLine
  const colours = seriesColours[theme]
  return colours[keys.indexOf(key) % colours.length] ?? palettes[theme].accent
}

interface StackedInput {
  readonly steps: readonly Step[]
  readonly keys: readonly KeySums[]
  readonly measure: Measure
  readonly stepSeconds: number
  readonly look: ChartLook
}

/** Bars over time, one piece for each key. */
export function stackedOption({ steps, keys, measure, stepSeconds, look }: StackedInput): EChartsCoreOption {
  return {
    ...frame(look),
    xAxis: timeAxis(steps, stepSeconds, look.theme),
    yAxis: valueAxis(look),
    series: keys.map((key) => ({
      type: 'bar',
      stack: 'all',
      name: look.keyName(key),
      barMaxWidth: 28,
      itemStyle: { color: colourOf(look.theme, key, keys) },
      data: steps.map((step) => {
        const sums = step.byKey.get(nameOf(key))
        return sums ? measured(sums, measure) : 0
      }),
    })),
  }
}

interface KeysInput {
  readonly keys: readonly KeySums[]
  readonly measure: Measure
  readonly look: ChartLook
}

/** A ring: which part each key has. */
export function shareOption({ keys, measure, look }: KeysInput): EChartsCoreOption {
  const { surface, faintLine } = palettes[look.theme]
  return {
    tooltip: { ...tooltip(look.theme), trigger: 'item', valueFormatter: valueWriter(look) },
    series: [
      {
        type: 'pie',
        radius: ['52%', '78%'],
        emptyCircleStyle: { color: faintLine },
        label: { show: false },
        emphasis: { scale: false },
        itemStyle: { borderColor: surface, borderWidth: 2 },
        data: keys.map((key) => ({
          name: look.keyName(key),
          value: measured(key, measure),
          itemStyle: { color: colourOf(look.theme, key, keys) },
        })),
      },
    ],
  }
}

/** Bars side by side, the longest first. */
export function rankOption({ keys, measure, look }: KeysInput): EChartsCoreOption {
  const { text } = palettes[look.theme]
  const ranked = keys
    .filter((key) => !key.isRest)
    .toSorted((left, right) => measured(right, measure) - measured(left, measure))
  return {
    tooltip: { ...tooltip(look.theme), trigger: 'item', valueFormatter: valueWriter(look) },
    grid: { left: 8, right: 72, top: 4, bottom: 4, containLabel: true },
    xAxis: { type: 'value', show: false },
    yAxis: {
      type: 'category',
      inverse: true,
      data: ranked.map(look.keyName),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { color: text, fontFamily: type.text, fontSize: 12, width: 150, overflow: 'truncate' },
    },
    series: [
      {
        type: 'bar',
        barMaxWidth: 14,
        label: {
          show: true,
          position: 'right',
          color: text,
          fontFamily: type.text,
          formatter: ({ value }: { value: number }) => look.value(value),
        },
        data: ranked.map((key) => ({
          value: measured(key, measure),
          itemStyle: { color: colourOf(look.theme, key, keys), borderRadius: 3 },
        })),
      },
    ],
  }
}

interface LinesInput {
  readonly steps: readonly Step[]
  readonly stepSeconds: number
  readonly look: ChartLook
  readonly names: { readonly whole: string; readonly first: string; readonly errors: string }
}

/** How long calls took, against the left edge; how many failed, against the right one. */
export function healthOption({ steps, stepSeconds, look, names }: LinesInput): EChartsCoreOption {
  const { act } = palettes[look.theme]
  const [whole, first] = seriesColours[look.theme]
  const line = { type: 'line', connectNulls: true, symbolSize: 4, valueFormatter: valueWriter(look) }
  const seconds = { tooltip: { valueFormatter: valueWriter(look) } }
  return {
    ...frame(look),
    xAxis: timeAxis(steps, stepSeconds, look.theme),
    yAxis: [
      valueAxis(look),
      { ...valueAxis(look), splitLine: { show: false }, minInterval: 1, axisLabel: axisText(look.theme) },
    ],
    series: [
      {
        type: 'bar',
        name: names.errors,
        yAxisIndex: 1,
        barMaxWidth: 14,
        itemStyle: { color: act, opacity: 0.55 },
        tooltip: { valueFormatter: String },
        data: steps.map((step) => step.errors),
      },
      {
        ...line,
        ...seconds,
        name: names.whole,
        color: whole,
        data: steps.map((step) => averageMs(step) ?? null),
      },
      {
        ...line,
        ...seconds,
        name: names.first,
        color: first,
        data: steps.map((step) => averageFirstMs(step) ?? null),
      },
    ],
  }
}

function frame(look: ChartLook) {
  return {
    tooltip: { ...tooltip(look.theme), trigger: 'axis', valueFormatter: valueWriter(look) },
    legend: {
      type: 'scroll',
      bottom: 0,
      icon: 'circle',
      itemWidth: 8,
      itemHeight: 8,
      textStyle: { color: palettes[look.theme].text, fontFamily: type.text, fontSize: 12 },
      pageTextStyle: { color: palettes[look.theme].muted },
      pageIconColor: palettes[look.theme].text,
      pageIconInactiveColor: palettes[look.theme].line,
    },
    grid: { left: 8, right: 8, top: 12, bottom: 34, containLabel: true },
  }
}

function tooltip(theme: ThemeName) {
  const { surface, line, text } = palettes[theme]
  return {
    confine: true,
    backgroundColor: surface,
    borderColor: line,
    textStyle: { color: text, fontFamily: type.text, fontSize: 12 },
  }
}

function valueWriter({ value }: ChartLook) {
  return (amount: unknown) => (typeof amount === 'number' ? value(amount) : '–')
}

function axisText(theme: ThemeName) {
  return { color: palettes[theme].muted, fontFamily: type.text, fontSize: 12 }
}

function timeAxis(steps: readonly Step[], stepSeconds: number, theme: ThemeName) {
  const { line } = palettes[theme]
  return {
    type: 'category',
    data: steps.map(({ at }) => stepName(at, stepSeconds)),
    axisLine: { lineStyle: { color: line } },
    axisTick: { show: false },
    axisLabel: axisText(theme),
  }
}

function valueAxis({ theme, value }: ChartLook) {
  return {
    type: 'value',
    splitNumber: 4,
    splitLine: { lineStyle: { color: palettes[theme].faintLine } },
    axisLabel: { ...axisText(theme), formatter: value },
  }
}

const DAY_SECONDS = 86_400

/** `11-20 14:00`, `11-20`: the beginning of a step where the reader is. */
export function stepName(at: number, stepSeconds: number): string {
  return dayjs.unix(at).format(stepSeconds < DAY_SECONDS ? 'MM-DD HH:mm' : 'MM-DD')
}
