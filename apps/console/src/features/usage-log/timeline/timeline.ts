import { LOG_TYPE, type LogRow } from '@tollgate/contract/log'
import { type Attempt, attemptsOf, type CallRecord, type SettleFlag } from '../record/call-record.ts'
import { roundHalfAway } from '../receipt/exact.ts'
import { isConsumption } from '../receipt/receipt-of.ts'
import { speedOf } from '../table/speed.ts'

/** One thing that happened to a call. `atMs` counts from its arrival; missing where the row does not say when. */
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
  /** No other channel was tried after it. */
  readonly isLast: boolean
  /** The same channel was asked once more: in another form, or with another key. */
  readonly isAskedAgain?: boolean
}

export interface Settled {
  readonly type: 'settled'
  readonly atMs: number
  readonly ending: Ending
  readonly units: number
  /** Missing when the row does not know the hold, or the call outgrew it and was extended. */
  readonly returnedUnits: number | undefined
}

export type Ending = 'complete' | 'partial' | 'cut' | 'client-gone' | 'interrupted'

export interface TriedChannel {
  readonly channelId: string
  /** HTTP status of the upstream; 0 when there was no answer. */
  readonly status: number
  readonly outcome: string
  /** The group it was tried in, where a call went through several. */
  readonly group?: string
}

type TimelineRow = Pick<
  LogRow,
  'type' | 'quota' | 'duration_ms' | 'use_time' | 'first_byte_ms' | 'channel' | 'is_stream' | 'group'
>

/** What happened to a call, in order. Empty for a row that is not a call. */
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

/** A call that was refused before it held anything has no receipt, and no channel saw it. */
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
  /** That it was charged in. */
  readonly group: string
}

function attemptSteps(record: CallRecord, { isError, firstTokenMs, group }: CallFacts): TimelineStep[] {
  const attempts = attemptsOf(record)
  const used = record.admin_info.use_channel
  if (attempts.length === 0) {
    const last = used.length - 1
    return used.map((channelId, index) => familyStep({ channelId, isLast: index === last, isError }))
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

/** An attempt that served the call is timed to its end, which is not the moment the upstream took it. */
function ownStep(attempt: Attempt, atMs: number | undefined, next: Attempt | undefined): TimelineStep {
  const { channel, status, outcome, group } = attempt
  const tried = { channelId: String(channel), status, outcome, ...(group !== undefined && { group }) }
  if (attempt.outcome === 'ok') return { type: 'accepted', atMs, attempt: tried }
  const step = { type: 'attempt-failed', atMs, attempt: tried, isLast: next === undefined } as const
  return next?.channel === channel ? { ...step, isAskedAgain: true } : step
}

interface FamilyStepInput {
  readonly channelId: string
  readonly isLast: boolean
  readonly isError: boolean
}

/** Older rows only list the channels: all but the last had failed. */
function familyStep({ channelId, isLast, isError }: FamilyStepInput): TimelineStep {
  const attempt = { channelId, status: 0, outcome: '' }
  if (isLast && !isError) return { type: 'accepted', atMs: undefined, attempt }
  return { type: 'attempt-failed', atMs: undefined, attempt, isLast }
}

/** The most telling of the flags: a caller who left is the reason for an answer that stayed partial. */
function endingOf(flags: readonly SettleFlag[]): Ending {
  if (flags.includes('recovered')) return 'interrupted'
  if (flags.includes('cut')) return 'cut'
  if (flags.includes('client_gone')) return 'client-gone'
  return flags.includes('partial') ? 'partial' : 'complete'
}
