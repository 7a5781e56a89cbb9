import type { UsageStepName } from '@tollgate/contract/usage'
import dayjs from 'dayjs'
import type { DashboardSearch, RangeName } from './search.ts'

/** The time range and step length of the charts. */
export interface Span {
  readonly range: RangeName
  readonly step: UsageStepName
  /** The step lengths available for the range; the first is the default. */
  readonly steps: readonly UsageStepName[]
  /** Unix seconds, both ends included. */
  readonly start: number
  readonly end: number
  /**
   * Stays the same as long as the reader keeps the same range, although the times move on; used in query
   * keys.
   */
  readonly name: string
}

/** The default range for the step that a site prefers: a day of hours, a week of days, a month of weeks. */
const RANGE_OF_STEP: Readonly<Record<UsageStepName, RangeName>> = { hour: '24h', day: '7d', week: '30d' }

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400

/** A step that does not suit the range is replaced by one that does. */
export function spanOf(search: DashboardSearch, siteStep: UsageStepName, nowSeconds: number): Span {
  const range = search.range === '' ? RANGE_OF_STEP[siteStep] : search.range
  const { start, end } = timesOf(range, search, nowSeconds)
  const steps = stepsFor(end - start)
  const wanted = search.step === '' && search.range === '' ? siteStep : search.step
  const step = steps.find((known) => known === wanted) ?? steps[0] ?? 'day'
  return { range, step, steps, start, end, name: range === 'own' ? `${start}-${end}` : range }
}

/** Minutes of the range that have already passed, so that rates do not count the time to come. */
export function pastMinutes({ start, end }: Pick<Span, 'start' | 'end'>, nowSeconds: number): number {
  return Math.max(1, (Math.min(end, nowSeconds) - start) / 60)
}

type Times = Pick<Span, 'start' | 'end'>

function timesOf(range: RangeName, search: DashboardSearch, nowSeconds: number): Times {
  const now = dayjs.unix(nowSeconds)
  // The range ends an hour from now, so that it includes calls that end while the page is open.
  const end = nowSeconds + HOUR_SECONDS
  if (range === 'own') return ownTimes(search, { start: nowSeconds - 7 * DAY_SECONDS, end })
  if (range === 'today') return { start: now.startOf('day').unix(), end }
  if (range === 'month') return { start: now.startOf('month').unix(), end }
  if (range === 'lastMonth') {
    const month = now.subtract(1, 'month')
    return { start: month.startOf('month').unix(), end: month.endOf('month').unix() }
  }
  return { start: nowSeconds - DAYS_BACK[range] * DAY_SECONDS, end }
}

const DAYS_BACK = { '24h': 1, '7d': 7, '30d': 30, '90d': 90, '365d': 365 } as const

/**
 * Five years: in steps of weeks, that is still within the maximum number of steps that the server returns.
 */
const OWN_DAYS_MAX = 5 * 366

/**
 * The address may contain anything: an invalid range (no start, or an end before the start) is replaced by
 * the usual range, and a range that is too long starts later.
 */
function ownTimes({ start_timestamp: start, end_timestamp: end }: DashboardSearch, usual: Times): Times {
  if (start === 0 || end < start) return usual
  return { start: Math.max(start, end - OWN_DAYS_MAX * DAY_SECONDS), end }
}

/** Step lengths that give enough bars to show a trend, and few enough to tell the bars apart. */
function stepsFor(seconds: number): readonly UsageStepName[] {
  const days = seconds / DAY_SECONDS
  if (days <= 2) return ['hour']
  if (days <= 8) return ['day', 'hour']
  if (days <= 62) return ['day', 'week']
  if (days <= 366) return ['week', 'day']
  return ['week']
}
