import { LOG_TYPE } from '@tollgate/kit/codes'
import * as z from 'zod/mini'
import { numberField, textField } from '../../../shared/routing/search-fields.ts'

const NAME_CHARACTERS_MAX = 255

const name = textField(NAME_CHARACTERS_MAX)
/** Paid or failed calls: a filter for two types of rows, and the default of the page. */
export const CALLS = 'calls'
/** Unix seconds; 0 means the page's default. */
const moment = numberField()
const id = numberField()

/**
 * The address parameters of the usage log, named like the API parameters. Zero and "" mean "not filtered";
 * invalid values are ignored. Without a type the page shows calls, because sign-ins and notes would bury
 * them.
 */
export const logSearchSchema = z.object({
  p: numberField({ min: 1, fallback: 1 }),
  type: z.catch(
    z.union([z.literal(CALLS), z.pipe(z.coerce.number(), z.union([z.literal(0), z.enum(LOG_TYPE)]))]),
    CALLS,
  ),
  start_timestamp: moment,
  end_timestamp: moment,
  token_name: name,
  model_name: name,
  group: name,
  channel: id,
  username: name,
  request_id: name,
  session: name,
  client: name,
})

export type LogSearch = z.output<typeof logSearchSchema>

/** The filters without the page number. */
export type LogFilters = Omit<LogSearch, 'p'>

/** Unix seconds, both ends included. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}

const HOUR_SECONDS = 3600

/**
 * From midnight in the reader's time zone until an hour from now, so that calls that end while the page is
 * open are included.
 */
export function defaultRange(now: Date): TimeRange {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  return {
    start: Math.floor(midnight.getTime() / 1000),
    end: Math.floor(now.getTime() / 1000) + HOUR_SECONDS,
  }
}

/** A request id or a session is searched without a time range; everything else uses the requested or the default range. */
export function rangeOf(filters: LogFilters, standard: TimeRange): TimeRange | undefined {
  if (filters.request_id + filters.session !== '' && filters.start_timestamp === 0) return undefined
  return { start: filters.start_timestamp || standard.start, end: filters.end_timestamp || standard.end }
}

export interface LogQuery {
  readonly type?: number
  readonly calls?: boolean
  readonly start_timestamp?: number
  readonly end_timestamp?: number
  readonly token_name?: string
  readonly model_name?: string
  readonly group?: string
  readonly channel?: number
  readonly username?: string
  readonly request_id?: string
  readonly session?: string
  readonly client?: string
}

/** The filters as API parameters. Only admins may filter by channel or user. */
export function logQuery(filters: LogFilters, standard: TimeRange, isAdmin: boolean): LogQuery {
  const range = rangeOf(filters, standard)
  const asked = {
    ...typeQuery(filters),
    start_timestamp: range?.start ?? 0,
    end_timestamp: range?.end ?? 0,
    token_name: filters.token_name.trim(),
    model_name: filters.model_name.trim(),
    group: filters.group.trim(),
    request_id: filters.request_id.trim(),
    session: filters.session.trim(),
    client: filters.client.trim(),
    ...(isAdmin && { channel: filters.channel, username: filters.username.trim() }),
  }
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== 0 && value !== ''))
}

/** A request id names one row of any type. */
function typeQuery({ type, request_id: requestId }: LogFilters): Pick<LogQuery, 'type' | 'calls'> {
  if (type !== CALLS) return { type }
  return requestId === '' ? { calls: true } : {}
}

const narrowing = [
  'token_name',
  'model_name',
  'group',
  'channel',
  'username',
  'request_id',
  'session',
  'client',
] as const satisfies readonly (keyof LogFilters)[]

/** The number of active filters, for the folded button on a phone. The default range does not count. */
export function activeFilters(filters: LogFilters): number {
  const isRangeAsked = filters.start_timestamp !== 0 || filters.end_timestamp !== 0
  const isTypeAsked = filters.type !== CALLS && filters.type !== 0
  const names = narrowing.filter((key) => filters[key] !== 0 && filters[key] !== '')
  return names.length + Number(isRangeAsked) + Number(isTypeAsked)
}
