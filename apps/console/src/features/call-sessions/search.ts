import * as z from 'zod/mini'
import { textField } from '../../shared/routing/search-fields.ts'
import { pageParameter } from '../../shared/table/paging.ts'

export const DAYS = [1, 7, 30] as const

/** `?session=…` opens the session of that id; `days` is how far the list goes back. */
export const callSessionSearchSchema = z.object({
  p: pageParameter,
  days: z.catch(z.pipe(z.coerce.number(), z.enum({ day: 1, week: 7, month: 30 })), 7),
  client: textField(),
  username: textField(),
  session: textField(),
})
export type CallSessionSearch = z.output<typeof callSessionSearchSchema>

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3_600

/** Rounded to the hour, so that the query stays the same from render to render. */
export function beginningOf(days: number, nowMs: number): number {
  const hour = Math.floor(nowMs / 1000 / HOUR_SECONDS) * HOUR_SECONDS
  return hour - days * DAY_SECONDS
}
