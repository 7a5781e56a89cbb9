import { LOG_TYPE } from '@tollgate/contract/log'
import type { UsageKeyName } from '@tollgate/contract/usage'
import type { KeySums } from './series/series.ts'

interface Times {
  /** Seconds, both ends included. */
  readonly start: number
  readonly end: number
}

export interface CallsBehindInput {
  readonly by: UsageKeyName
  readonly range: Times
  /** Only whose calls are drawn; undefined: everybody's. */
  readonly username: string | undefined
}

/** What was pointed at: a key, a step, or one key in one step; all calls of it, or those that failed. */
export interface Pointed {
  readonly key?: KeySums | undefined
  readonly step?: { readonly at: number; readonly seconds: number } | undefined
  readonly isFailed?: boolean
}

export type CallsBehind = ReturnType<typeof callsBehind>

/**
 * What the address of the usage log says of the calls behind a number. `undefined` for keys that the log cannot be
 * narrowed to: everything else, and calls without a name.
 */
export function callsBehind(
  { by, range, username }: CallsBehindInput,
  { key, step, isFailed = false }: Pointed,
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

/** A step may begin before the range and end after it. */
function timesOf({ start, end }: Times, step: Pointed['step']) {
  if (step === undefined) return { start_timestamp: start, end_timestamp: end }
  return {
    start_timestamp: Math.max(start, step.at),
    end_timestamp: Math.min(end, step.at + step.seconds - 1),
  }
}

/** Without a token, a call came from the playground, whose rows have several names. */
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
