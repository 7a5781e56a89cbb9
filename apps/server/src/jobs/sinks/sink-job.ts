import type { Clock } from '@tollgate/kit/clock'
import { listCallsAfter, newestLogId } from '@tollgate/store/logs/follow'
import { readWatermark, writeWatermark } from '@tollgate/store/operations/watermarks'
import type { Db } from '@tollgate/store/tables/schema'
import { type Job, JobFailure, type JobFigures } from '../job.ts'
import type { LogSink } from './sink.ts'

export interface SinkJobParts {
  readonly name: string
  /** The database that keeps the usage log; the position of the sink is there too. */
  readonly logs: Db
  readonly clock: Clock
  /** The sink as it is configured now; `undefined`: switched off. */
  readonly sink: () => LogSink | undefined
  readonly everyMs: number
  readonly rowsAtOnce: number
}

/** Upper bound for one run, so that a shutdown does not have to wait for it. */
const BATCHES_MAX = 20
/**
 * A transaction that began earlier may still add a row with a smaller id. Ids are sent only when they were there
 * this long ago.
 */
const SETTLED_MS = 10_000
const PAUSE_MAX_MS = 300_000
const never = new AbortController().signal

/**
 * Sends the rows of calls to a receiver, each at least once and in order, from a stored position. While the receiver
 * is down the rows wait in the log, as long as the log keeps them, and calls notice nothing.
 */
export function sinkJob(parts: SinkJobParts): Job {
  const { name, clock, everyMs } = parts
  const settled = settledIds(parts)
  let isForgotten = false
  let failure: { readonly error: unknown; readonly untilMs: number; readonly pauseMs: number } | undefined
  return {
    name,
    everyMs,
    runs: 'once',
    run: async (context): Promise<JobFigures> => {
      const sink = parts.sink()
      if (sink === undefined) {
        failure = undefined
        if (!isForgotten) await forget(parts)
        isForgotten = true
        return {}
      }
      isForgotten = false
      const through = await settled()
      if (failure && clock.nowMs() < failure.untilMs) throw failure.error
      try {
        const sent = await sendWaiting(parts, { sink, through, signal: context?.signal ?? never })
        failure = undefined
        return { sent }
      } catch (error) {
        const pauseMs = Math.min(PAUSE_MAX_MS, (failure?.pauseMs ?? everyMs) * 2)
        if (error instanceof JobFailure) failure = { error, pauseMs, untilMs: clock.nowMs() + pauseMs }
        throw error
      }
    },
  }
}

interface Sending {
  readonly sink: LogSink
  readonly through: number
  readonly signal: AbortSignal
}

async function sendWaiting(parts: SinkJobParts, { sink, through, signal }: Sending): Promise<number> {
  const { logs, name, rowsAtOnce } = parts
  let position = await readWatermark(logs, name)
  // A new sink begins with the calls of now. Positions are stored one higher, because 0 stands for none.
  if (position === 0) {
    position = (await newestLogId(logs)) + 1
    await writeWatermark(logs, { name, position })
  }
  let sent = 0
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    if (signal.aborted) break
    const rows = await listCallsAfter(logs, { after: position - 1, through, limit: rowsAtOnce })
    const last = rows.at(-1)
    if (last === undefined) break
    await sink.send(rows, signal)
    position = last.id + 1
    await writeWatermark(logs, { name, position })
    sent += rows.length
    if (rows.length < rowsAtOnce) break
  }
  return sent
}

/** A sink that is switched on again begins anew. */
async function forget({ logs, name }: SinkJobParts): Promise<void> {
  if ((await readWatermark(logs, name)) !== 0) await writeWatermark(logs, { name, position: 0 })
}

/** Returns the largest id that was there {@link SETTLED_MS} ago. */
function settledIds({ logs, clock }: SinkJobParts): () => Promise<number> {
  const seen: { readonly ms: number; readonly id: number }[] = []
  let settledId = 0
  return async () => {
    const nowMs = clock.nowMs()
    seen.push({ ms: nowMs, id: await newestLogId(logs) })
    while (seen[0] !== undefined && nowMs - seen[0].ms >= SETTLED_MS)
      settledId = seen.shift()?.id ?? settledId
    return settledId
  }
}
