import type { UsageKeyName } from '@tollgate/contract/usage'
import { LOG_TYPE } from '@tollgate/kit/codes'
import type { KeySums } from './series/series.ts'

interface Times {
  /** Unix seconds, both ends included. */
  readonly start: number
  readonly end: number
}

export interface CallsBehindInput {
  readonly by: UsageKeyName
  readonly range: Times
  /** The user whose calls are drawn; `undefined`: all users. */
  readonly username: string | undefined
}

/**
 * The part of a chart that was pointed at: a key, a step, or one key in one step; either all of its calls or
 * only the failed ones.
 */
export interface ChartSelection {
  readonly key?: KeySums | undefined
  readonly step?: { readonly at: number; readonly seconds: number } | undefined
  readonly isFailed?: boolean
}

export type CallsBehind = ReturnType<typeof callsBehind>

/**
 * Search parameters of the usage log that show the calls behind a number. `undefined` for keys that the log
 * cannot filter by: the rest ("everything else"), and keys without a name.
 */
export function callsBehind(
  { by, range, username }: CallsBehindInput,
  { key, step, isFailed = false }: ChartSelection,
): Readonly<Record<string, string | number>> | undefined {
  const filter = key && filterOf(key, by)
  if (key !== undefined && filter === undefined) return undefined
  return {
    ...timesOf(range, step),
    ...(username !== undefined && { username }),
    ...(isFailed && { type: LOG_TYPE.error }),
    ...filter,
  }
}

/** A step may begin before the range and end after it, so its ends are clamped to the range. */
function timesOf({ start, end }: Times, step: ChartSelection['step']) {
  if (step === undefined) return { start_timestamp: start, end_timestamp: end }
  return {
    start_timestamp: Math.max(start, step.at),
    end_timestamp: Math.min(end, step.at + step.seconds - 1),
  }
}

/**
 * Calls without a token came from the playground. Their rows have several token names, so the log cannot
 * filter by one.
 */
const NO_TOKEN = '0'

function filterOf(
  { key, label, isRest }: KeySums,
  by: UsageKeyName,
): Readonly<Record<string, string | number>> | undefined {
  if (isRest || label === '') return undefined
  if (by === 'model') return { model_name: key }
  if (by === 'group') return { group: key }
  if (by === 'user') return { username: label }
  if (by === 'channel') return key === '0' ? undefined : { channel: Number(key) }
  return key === NO_TOKEN ? undefined : { token_name: label }
}
