import { setTimeout } from 'node:timers/promises'
import type { Clock } from '@tollgate/kit/clock'
import {
  type OutboxRow,
  endWork,
  listAbandonedWork,
  listDueWork,
  postponeWork,
  takeWork,
} from '@tollgate/store/outbox'
import type { Database } from '@tollgate/store/schema'
import type { Kysely } from 'kysely'
import type { JobsLog } from './job.ts'

/** What became of one attempt. */
export type Delivery =
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly reason: string }
  /** Certainly not delivered: it may be tried again. */
  | { readonly type: 'again'; readonly reason: string }

export interface Deliverer {
  /** Never takes longer than {@link TAKEN_MS}. What it throws counts as "again". */
  deliver(work: { cause: string; payload: unknown }): Promise<Delivery>
  /** A worker died while it delivered: is delivering twice harmless, so that it is done again? */
  readonly isRepeatable: boolean
  /** Somebody has a right to it: it is tried until it succeeds. */
  readonly isNeverGivenUp?: boolean
}

export interface OutboxWorkerParts {
  readonly store: Kysely<Database>
  readonly clock: Clock
  readonly log: JobsLog
  /** The payload of a row in clear; throws when it cannot be read. */
  readonly open: (row: { cause: string; payload: string }) => unknown
  readonly deliverers: Readonly<Record<string, Deliverer>>
}

export const TAKEN_MS = 5 * 60_000
const AT_ONCE = 8
/** A stop waits this long for what is in hand. */
const CLOSE_MS = 5000
/** Other processes may have queued something, or died with something in hand. */
const LOOK_EVERY_MS = 15_000
const SECOND_MS = 1000
/** After the first failure, the second, …; then it is given up. */
const PAUSES_MS = [10, 60, 300, 1800, 7200].map((seconds) => seconds * SECOND_MS)

/** Takes what is due, a few pieces at once, so that a slow server holds up nobody but itself. */
export class OutboxWorker {
  readonly #parts: OutboxWorkerParts
  readonly #inHand = new Set<Promise<void>>()
  readonly #timer: NodeJS.Timeout
  #looking: Promise<void> | undefined
  #isAskedAgain = false
  #isClosed = false

  constructor(parts: OutboxWorkerParts) {
    this.#parts = parts
    this.#timer = setInterval(() => this.wake(), LOOK_EVERY_MS).unref()
  }

  /** Looks for work now; asked during a look, it looks once more. */
  wake(): void {
    this.#isAskedAgain = true
    if (this.#isClosed || this.#looking) return
    this.#looking = this.#lookAll()
      .catch((error: unknown) => this.#parts.log.error({ error }, 'the outbox could not be read'))
      .finally(() => {
        this.#looking = undefined
        if (this.#isAskedAgain) this.wake()
      })
  }

  /** Resolves once everything that is due has been tried. */
  async settle(): Promise<void> {
    this.wake()
    while (this.#looking || this.#inHand.size > 0) await this.#underWay()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.race([this.#underWay(), setTimeout(CLOSE_MS, undefined, { ref: false })])
  }

  #underWay(): Promise<unknown> {
    return Promise.allSettled([this.#looking, ...this.#inHand])
  }

  async #lookAll(): Promise<void> {
    while (this.#isAskedAgain && !this.#isClosed) {
      this.#isAskedAgain = false
      await this.#look()
    }
  }

  async #look(): Promise<void> {
    const { store, clock } = this.#parts
    const nowMs = clock.nowMs()
    for (const row of await listAbandonedWork(store, { nowMs, limit: AT_ONCE }))
      await giveBack(this.#parts, row)
    const limit = AT_ONCE - this.#inHand.size
    if (limit <= 0) return
    for (const row of await listDueWork(store, { nowMs, limit }))
      if (await takeWork(store, { ...row, untilMs: nowMs + TAKEN_MS })) this.#begin(row)
  }

  #begin(row: OutboxRow): void {
    const work = serve(this.#parts, { ...row, attempts: row.attempts + 1 }).finally(() => {
      this.#inHand.delete(work)
      this.wake()
    })
    this.#inHand.add(work)
  }
}

/** Nobody knows how far the worker came that had it. */
async function giveBack({ store, clock, deliverers }: OutboxWorkerParts, row: OutboxRow): Promise<void> {
  const reason = 'the worker ended while it was delivering'
  if (deliverers[row.kind]?.isRepeatable) await postponeWork(store, { ...row, dueMs: clock.nowMs(), reason })
  else await endWork(store, { ...row, state: 'failed', reason })
}

async function serve(parts: OutboxWorkerParts, row: OutboxRow): Promise<void> {
  const { store, clock, log, deliverers } = parts
  try {
    const result = await attempt(parts, row)
    const lastPauseMs = deliverers[row.kind]?.isNeverGivenUp ? PAUSES_MS.at(-1) : undefined
    const pauseMs = PAUSES_MS[row.attempts - 1] ?? lastPauseMs
    if (result.type === 'done') return await endWork(store, { ...row, state: 'done', reason: '' })
    const { reason } = result
    log.error({ cause: row.cause, kind: row.kind, attempts: row.attempts, reason }, 'a delivery failed')
    if (result.type === 'failed' || pauseMs === undefined)
      return await endWork(store, { ...row, state: 'failed', reason })
    await postponeWork(store, { ...row, dueMs: clock.nowMs() + pauseMs, reason })
  } catch (error) {
    // The row stays taken until its time is over.
    log.error({ error, cause: row.cause }, 'what became of a delivery could not be noted')
  }
}

async function attempt({ deliverers, open, log }: OutboxWorkerParts, row: OutboxRow): Promise<Delivery> {
  const deliverer = deliverers[row.kind]
  if (!deliverer) return { type: 'failed', reason: `nobody delivers ${row.kind}` }
  try {
    return await deliverer.deliver({ cause: row.cause, payload: open(row) })
  } catch (error) {
    log.error({ error, cause: row.cause }, 'a deliverer failed')
    return { type: 'again', reason: 'an internal error' }
  }
}
