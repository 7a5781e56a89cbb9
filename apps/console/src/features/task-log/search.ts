import * as z from 'zod/mini'
import { numberField, textField } from '../../shared/routing/search-fields.ts'
import { pageParameter } from '../../shared/table/paging.ts'

const ID_CHARACTERS_MAX = 255
/** Unix seconds; 0 means the page's default. */
const moment = numberField()

/** `?task_id=…&channel_id=3&username=lin&start_timestamp=…&end_timestamp=…&p=2`; zero and "" mean "not filtered". */
export const taskSearchSchema = z.object({
  p: pageParameter,
  task_id: textField(ID_CHARACTERS_MAX),
  channel_id: numberField(),
  username: textField(ID_CHARACTERS_MAX),
  start_timestamp: moment,
  end_timestamp: moment,
})
export type TaskSearch = z.output<typeof taskSearchSchema>
export type TaskFilters = Omit<TaskSearch, 'p'>

/** Unix seconds; 0 means open-ended. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}

const HOUR_SECONDS = 3600
const MONTH_SECONDS = 2_592_000

/**
 * The last thirty days, ending an hour from now so that tasks submitted while the page is open are included.
 */
export function drawingRange(now: Date): TimeRange {
  const seconds = Math.floor(now.getTime() / 1000)
  return { start: seconds - MONTH_SECONDS, end: seconds + HOUR_SECONDS }
}

/** Starts at midnight in the reader's time zone. */
export function taskRange(now: Date): TimeRange {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  return { start: Math.floor(midnight.getTime() / 1000), end: 0 }
}

/** A task id is searched without a time range; everything else uses the requested or the default range. */
export function rangeOf(filters: TaskFilters, standard: TimeRange): TimeRange {
  const { start_timestamp: start, end_timestamp: end, task_id: id } = filters
  if (id.trim() !== '' && start === 0 && end === 0) return { start: 0, end: 0 }
  return { start: start || standard.start, end: end || standard.end }
}

export function activeFilters(filters: TaskFilters): number {
  const { task_id: id, channel_id: channel, username, start_timestamp: start, end_timestamp: end } = filters
  return [id !== '', channel !== 0, username !== '', start !== 0 || end !== 0].filter(Boolean).length
}

/** Identifies a set of filters, independently of the page shown. */
export function keyOf({ p: _page, ...filters }: TaskSearch): string {
  return JSON.stringify(filters)
}
