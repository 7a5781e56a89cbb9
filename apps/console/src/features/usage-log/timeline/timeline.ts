import { roundHalfAway } from '@tollgate/billing/decimal'
import type { LogRow } from '@tollgate/contract/log'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { type Attempt, attemptsOf, type CallRecord, type SettleFlag } from '../record/call-record.ts'
import { isConsumption } from '../table/call-row.ts'
import { speedOf } from '../table/speed.ts'

/**
 * One step of a call. `atMs` is relative to the call's arrival; `undefined` if the row does not contain the
 * time.
 */
export type TimelineStep =
  | { readonly type: 'admitted'; readonly atMs: number; readonly heldUnits: number | undefined }
  | FailedAttempt
  | { readonly type: 'accepted'; readonly atMs: number | undefined; readonly attempt: TriedChannel }
  | { readonly type: 'first-token'; readonly atMs: number }
  | Settled
  | { readonly type: 'released'; readonly atMs: number; readonly heldUnits: number | undefined }
  | { readonly type: 'refused'; readonly atMs: number }

export interface FailedAttempt {
  readonly type: 'attempt-failed'
  readonly atMs: number | undefined
  readonly attempt: TriedChannel
  /** No other attempt followed. */
  readonly isLast: boolean
  /** The same channel was tried once more, with a different request format or another key. */
  readonly isSameChannelRetried?: boolean
}

export interface Settled {
  readonly type: 'settled'
  readonly atMs: number
  readonly ending: Ending
  readonly units: number
  /** `undefined` if the row does not contain the hold, or if the hold had to be extended for the call. */
  readonly returnedUnits: number | undefined
}

export type Ending = 'complete' | 'partial' | 'cut' | 'client-gone' | 'interrupted'

export interface TriedChannel {
  readonly channelId: string
  /** HTTP status of the upstream; 0 if there was no response. */
  readonly status: number
  readonly outcome: string
  /** The group of the attempt, if the call went through several groups. */
  readonly group?: string
  /** The request was sent twice, because the upstream had closed the first connection. */
  readonly isResent?: boolean
}

type TimelineRow = Pick<
  LogRow,
  'type' | 'quota' | 'duration_ms' | 'use_time' | 'first_byte_ms' | 'channel' | 'is_stream' | 'group'
>

/** The steps of a call, in order. Empty for a row that is not a call. */
export function timelineOf(row: TimelineRow, record: CallRecord): TimelineStep[] {
  const isError = row.type === LOG_TYPE.error
  if (!isError && !isConsumption(row)) return []
  const speed = speedOf(row, record.frt)
  if (isError && !wasAdmitted(record)) return [{ type: 'refused', atMs: speed.durationMs }]
  const heldUnits = record.receipt?.held && Number(roundHalfAway(record.receipt.held))
  return [
    { type: 'admitted', atMs: 0, heldUnits },
    ...attemptSteps(record, { isError, firstTokenMs: speed.firstTokenMs, group: row.group }),
    ...(speed.firstTokenMs === undefined || isError
      ? []
      : [{ type: 'first-token', atMs: speed.firstTokenMs } as const]),
    isError
      ? { type: 'released', atMs: speed.durationMs, heldUnits }
      : settledStep(row.quota, { atMs: speed.durationMs, heldUnits, ending: endingOf(record.flags) }),
  ]
}

export interface CallerDeparture {
  readonly leftMs: number
  readonly endedMs: number
  /** `answered` and `failed`: what the vendor did later. `displaced`: the gateway ended the call for later ones. */
  readonly end: 'answered' | 'failed' | 'displaced' | 'unsent'
}

/** What became of a call after its caller left; `undefined` for rows that do not say when that was. */
export function readLeaving(
  row: TimelineRow,
  { left_ms: leftMs, left_end: end }: CallRecord,
): CallerDeparture | undefined {
  if (leftMs === 0) return undefined
  const vendorEnd = row.type === LOG_TYPE.error ? 'failed' : 'answered'
  return { leftMs, endedMs: row.duration_ms, end: end ?? vendorEnd }
}

/** A call that was refused before any quota was held has no receipt and no channel. */
function wasAdmitted({ receipt, admin_info: { use_channel: channels } }: CallRecord): boolean {
  return receipt !== undefined || channels.length > 0
}

interface SettledInput {
  readonly atMs: number
  readonly heldUnits: number | undefined
  readonly ending: Ending
}

function settledStep(units: number, { atMs, heldUnits, ending }: SettledInput): Settled {
  const isWithinHold = heldUnits !== undefined && units <= heldUnits
  const returnedUnits = isWithinHold ? heldUnits - units : undefined
  return { type: 'settled', atMs, ending, units, returnedUnits }
}

interface CallFacts {
  readonly isError: boolean
  readonly firstTokenMs: number | undefined
  /** The group in which the call was charged. */
  readonly group: string
}

function attemptSteps(record: CallRecord, { isError, firstTokenMs, group }: CallFacts): TimelineStep[] {
  const attempts = attemptsOf(record)
  const used = record.admin_info.use_channel
  if (attempts.length === 0) {
    const last = used.length - 1
    return used.map((channelId, index) => legacyStep({ channelId, isLast: index === last, isError }))
  }
  const hasGroups = attempts.some((attempt) => attempt.group !== undefined)
  let elapsedMs = record.receipt?.hold_ms ?? 0
  return attempts.map((attempt, index) => {
    elapsedMs += attempt.ms
    const isTimed = attempt.outcome !== 'ok' || elapsedMs <= (firstTokenMs ?? 0)
    const tried = hasGroups ? { ...attempt, group: attempt.group ?? group } : attempt
    return ownStep(tried, isTimed ? elapsedMs : undefined, attempts[index + 1])
  })
}

/** The time of the attempt that served the call is its end, not the moment when the upstream accepted it. */
function ownStep(attempt: Attempt, atMs: number | undefined, next: Attempt | undefined): TimelineStep {
  const { channel, status, outcome, group, resent: isResent } = attempt
  const tried = { channelId: String(channel), status, outcome, group, ...(isResent && { isResent }) }
  if (attempt.outcome === 'ok') return { type: 'accepted', atMs, attempt: tried }
  const step = { type: 'attempt-failed', atMs, attempt: tried, isLast: next === undefined } as const
  return next?.channel === channel ? { ...step, isSameChannelRetried: true } : step
}

interface LegacyStepInput {
  readonly channelId: string
  readonly isLast: boolean
  readonly isError: boolean
}

/** Older rows only list the channels: all except the last had failed. */
function legacyStep({ channelId, isLast, isError }: LegacyStepInput): TimelineStep {
  const attempt = { channelId, status: 0, outcome: '' }
  if (isLast && !isError) return { type: 'accepted', atMs: undefined, attempt }
  return { type: 'attempt-failed', atMs: undefined, attempt, isLast }
}

/**
 * The most significant flag decides. A caller who left is reported before a partial response, because leaving
 * is its cause.
 */
function endingOf(flags: readonly SettleFlag[]): Ending {
  if (flags.includes('recovered')) return 'interrupted'
  if (flags.includes('cut')) return 'cut'
  if (flags.includes('client_gone')) return 'client-gone'
  return flags.includes('partial') ? 'partial' : 'complete'
}
