import { USAGE_KEYS, USAGE_STEPS } from '@tollgate/contract/usage'
import { z } from 'zod'

/** How far back, and in how long steps; the first of each step is what it opens with. */
export const RANGES = {
  '24h': { days: 1, steps: ['hour'] },
  '7d': { days: 7, steps: ['day', 'hour'] },
  '30d': { days: 30, steps: ['week', 'day'] },
  '90d': { days: 90, steps: ['week', 'day'] },
  '365d': { days: 365, steps: ['week', 'day'] },
} as const satisfies Record<string, { days: number; steps: readonly (typeof USAGE_STEPS)[number][] }>
export type RangeName = keyof typeof RANGES
export const rangeNames = ['24h', '7d', '30d', '90d', '365d'] as const satisfies readonly RangeName[]

export const MEASURES = ['spent', 'calls', 'tokens'] as const
export type Measure = (typeof MEASURES)[number]

/** "" is what the site opens with. */
export const dashboardSearchSchema = z.object({
  range: z.enum(['', ...rangeNames]).catch(''),
  step: z.enum(['', ...USAGE_STEPS]).catch(''),
  by: z.enum(USAGE_KEYS).catch('model'),
  measure: z.enum(MEASURES).catch('spent'),
  of: z.enum(['all', 'own']).catch('all'),
})
export type DashboardSearch = z.output<typeof dashboardSearchSchema>
type StepName = (typeof USAGE_STEPS)[number]

/** The range that goes with the step a site prefers: a day of hours, a week of days, a month of weeks. */
const RANGE_OF_STEP: Readonly<Record<StepName, RangeName>> = { hour: '24h', day: '7d', week: '30d' }

export interface Span {
  readonly range: RangeName
  readonly step: StepName
  /** Seconds, both ends included. */
  readonly start: number
  readonly end: number
}

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3600

/** A step that does not go with the range gives way to one that does. */
export function spanOf({ range, step }: DashboardSearch, siteStep: StepName, nowSeconds: number): Span {
  const name = range === '' ? RANGE_OF_STEP[siteStep] : range
  const steps: readonly StepName[] = RANGES[name].steps
  const chosen = steps.find((known) => known === step) ?? steps[0] ?? 'day'
  const end = nowSeconds + HOUR_SECONDS
  return { range: name, step: chosen, start: nowSeconds - RANGES[name].days * DAY_SECONDS, end }
}
