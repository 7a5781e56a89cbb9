import { USAGE_KEYS, USAGE_STEPS } from '@tollgate/contract/usage'
import * as z from 'zod/mini'
import { choiceField, numberField } from '../../shared/routing/search-fields.ts'

export const rangeNames = [
  'today',
  '24h',
  '7d',
  '30d',
  'month',
  'lastMonth',
  '90d',
  '365d',
  /** Uses the start and end in the address. */
  'own',
] as const
export type RangeName = (typeof rangeNames)[number]

export const MEASURES = ['spent', 'calls', 'tokens'] as const
export type Measure = (typeof MEASURES)[number]

/** "" means the site's default. */
export const dashboardSearchSchema = z.object({
  range: choiceField(['', ...rangeNames], ''),
  /** Start and end of the range `own`, named as in the usage log: Unix seconds, 0 means none. */
  start_timestamp: numberField(),
  end_timestamp: numberField(),
  step: choiceField(['', ...USAGE_STEPS], ''),
  by: choiceField(USAGE_KEYS, 'model'),
  measure: choiceField(MEASURES, 'spent'),
  of: choiceField(['all', 'own'], 'all'),
})
export type DashboardSearch = z.output<typeof dashboardSearchSchema>
