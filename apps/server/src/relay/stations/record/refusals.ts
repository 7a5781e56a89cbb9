import type { Clock } from '@tollgate/kit/clock'
import { Problem } from '@tollgate/problems/problem'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { Log } from '../../log.ts'
import { refusalRow } from './error-row.ts'
import type { KnownCall } from './row.ts'

interface RefusalDeps {
  readonly clock: Clock
  readonly log: Log
  readonly writeLogRows: (rows: readonly UsageLogRow[]) => Promise<void>
}

/** Refusals are written in batches a little later; no call waits for them. */
const FLUSH_MS = 1_000
/** Limit of rows per user and minute, so that a client in a loop does not fill the log. */
const ROWS_PER_USER_MAX = 20
const WINDOW_MS = 60_000
const ROWS_WAITING_MAX = 1_000

/** Records calls that were refused after authentication. Never blocks, never throws. */
export interface Refusals {
  /** Whether the call gets a row of its own. */
  note(refusedCall: KnownCall, refusal: Problem): boolean
  close(): Promise<void>
}

export function openRefusals({ clock, log, writeLogRows }: RefusalDeps): Refusals {
  let rows: UsageLogRow[] = []
  let counts = new Map<number, number>()
  let windowEnds = 0
  let timer: NodeJS.Timeout | undefined

  function isTooMany(userId: number): boolean {
    const now = clock.monotonicMs()
    if (now >= windowEnds) {
      counts = new Map()
      windowEnds = now + WINDOW_MS
    }
    const count = (counts.get(userId) ?? 0) + 1
    counts.set(userId, count)
    return count > ROWS_PER_USER_MAX || rows.length >= ROWS_WAITING_MAX
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = rows
    rows = []
    if (batch.length === 0) return
    await writeLogRows(batch).catch((error: unknown) =>
      log.warn({ error }, 'could not write log rows of refused calls'),
    )
  }

  return {
    note(refusedCall: KnownCall, refusal: Problem): boolean {
      if (isTooMany(refusedCall.caller.owner.id)) return false
      rows.push(refusalRow(refusedCall, refusal, clock.monotonicMs()))
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref()
      return true
    },
    close: flush,
  }
}

/** The Problem that refused a call after its caller was known; the log row names the rest of `known`. */
export class RefusedCall extends Problem {
  readonly known: KnownCall

  constructor({ code, parameters, cause }: Problem, known: KnownCall) {
    super(code, parameters, { cause })
    this.known = known
  }
}

/** Throws the error again. A Problem then carries what was known of the call, at the place that knew most. */
export function refuseKnown(error: unknown, known: KnownCall): never {
  throw error instanceof Problem && !(error instanceof RefusedCall) ? new RefusedCall(error, known) : error
}
