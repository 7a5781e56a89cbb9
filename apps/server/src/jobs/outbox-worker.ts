import { setTimeout } from 'node:timers/promises'
import type { Clock } from '@tollgate/kit/clock'
import {
  type OutboxRow,
  endWork,
  listAbandonedWork,
  listDueWork,
  postponeWork,
  takeWork,
} from '@tollgate/store/operations/outbox'
import type { Db } from '@tollgate/store/tables/schema'
import type { JobsLog } from './job.ts'

/** Result of one delivery attempt. */
export type Delivery =
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly reason: string }
  /** Certainly not delivered, so it may be retried. */
  | { readonly type: 'again'; readonly reason: string }

type AttemptResult = Delivery | { readonly type: 'held' }

export interface Deliverer {
  /** Must finish within {@link TAKEN_MS}. An exception counts as a failure to be retried. */
  deliver(work: { cause: string; payload: unknown }): Promise<Delivery>
  /**
   * Whether delivering twice is harmless. If so, a row is delivered again after a worker died in the middle
   * of its delivery.
   */
  readonly isRepeatable: boolean
  /** Retry until it succeeds, for deliveries to which somebody is entitled. */
  readonly isNeverGivenUp?: boolean
}

export interface OutboxWorkerParts {
  readonly store: Db
  readonly clock: Clock
  readonly log: JobsLog
  /** Decrypts the payload of a row; throws when that fails. */
  readonly open: (row: { cause: string; payload: string }) => unknown
  readonly deliverers: Readonly<Record<string, Deliverer>>
  /** Whether this work must wait, because it would reach somebody outside while the database is a copy. */
  readonly isHeld?: (work: { kind: string; payload: unknown }) => boolean
}

export const TAKEN_MS = 5 * 60_000
const AT_ONCE = 8
/** How long a shutdown waits for deliveries under way. */
const CLOSE_MS = 5000
/** Polled because another process may have queued work, or died while it delivered some. */
const LOOK_EVERY_MS = 15_000
const SECOND_MS = 1000
/** How often work that waits for a confirmation is looked at. */
const HELD_MS = 60_000
const HELD = 'the database is a copy that nobody has confirmed'
/** Pauses after the first failure, the second, and so on; then the delivery is given up. */
const PAUSES_MS = [10, 60, 300, 1800, 7200].map((seconds) => seconds * SECOND_MS)

/** Delivers due outbox rows, a few at a time, so that one slow server does not delay the others. */
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

  /** Looks for due work now. If called during a look, looks again afterwards. */
  wake(): void {
    this.#isAskedAgain = true
    if (this.#isClosed || this.#looking) return
    this.#looking = this.#lookAll()
      .catch((error: unknown) => this.#parts.log.error({ error }, 'could not read the outbox'))
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

/**
 * Handles a row whose worker died: it is not known whether the delivery was made, so only repeatable
 * deliveries are tried again.
 */
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
    if (result.type === 'held')
      return await postponeWork(store, { ...row, dueMs: clock.nowMs() + HELD_MS, reason: HELD })
    if (result.type === 'done') return await endWork(store, { ...row, state: 'done', reason: '' })
    const { reason } = result
    log.error({ cause: row.cause, kind: row.kind, attempts: row.attempts, reason }, 'a delivery failed')
    if (result.type === 'failed' || pauseMs === undefined)
      return await endWork(store, { ...row, state: 'failed', reason })
    await postponeWork(store, { ...row, dueMs: clock.nowMs() + pauseMs, reason })
  } catch (error) {
    // The row stays reserved until its lease expires.
    log.error({ error, cause: row.cause }, 'could not record the result of a delivery')
  }
}

async function attempt(
  { deliverers, open, log, isHeld }: OutboxWorkerParts,
  row: OutboxRow,
): Promise<AttemptResult> {
  const deliverer = deliverers[row.kind]
  if (!deliverer) return { type: 'failed', reason: `nobody delivers ${row.kind}` }
  try {
    const payload = open(row)
    if (isHeld?.({ kind: row.kind, payload })) return { type: 'held' }
    return await deliverer.deliver({ cause: row.cause, payload })
  } catch (error) {
    log.error({ error, cause: row.cause }, 'a delivery handler threw an error')
    return { type: 'again', reason: 'an internal error' }
  }
}
