import type { ServerAccess } from '@tollgate/store/server/open-server-store'
import { FIRST, type Instance, type Orphan } from './instance.ts'
import { type BatchQueue, isStoreFailure } from './batch-queue.ts'
import type { Statements } from './statements.ts'

/**
 * A node without a heartbeat for this long is considered dead. If it still runs, its settlements become late
 * settlements.
 */
export const SILENT_MS = 30_000

export interface ReaperParts {
  readonly server: ServerAccess
  readonly statements: Statements
  readonly lane: BatchQueue
  readonly instance: Instance
}

export interface ReapResult {
  /** Number of holds that were ended. */
  readonly recovered: number
  /**
   * Error of the last hold that could not be ended, which is a bug. The quota of that hold stays reserved;
   * other holds are not affected.
   */
  readonly failure: string | undefined
}

/**
 * Recovers the holds of dead nodes and returns their allotments. Any number of nodes may do this at once: each node is declared dead once,
 * and each hold is ended once.
 */
export class Reaper {
  readonly #parts: ReaperParts
  #recovered = 0

  constructor(parts: ReaperParts) {
    this.#parts = parts
  }

  /** Number of holds ended since the start. */
  get recovered(): number {
    return this.#recovered
  }

  /** Returns the result of this run only; another run may be active in the same process. */
  async reap(nowMs: number): Promise<ReapResult> {
    await this.#declareDead()
    let harvest: ReapResult = NOTHING
    for (let last: Orphan | undefined = FIRST; last;) {
      const step = await this.#recoverSome(last.holdId, nowMs)
      harvest = joined(harvest, step.harvest)
      last = step.last
    }
    while ((await this.#reclaimSome(nowMs)) > 0);
    return harvest
  }

  /** Returns one page of allotments to their accounts. */
  #reclaimSome(nowMs: number): Promise<number> {
    const { lane, instance } = this.#parts
    return lane.aside(nowMs, () => instance.reclaim(nowMs))
  }

  /** Recovers one page of holds. Batches may run between two pages. */
  #recoverSome(afterId: string, nowMs: number): Promise<{ harvest: ReapResult; last: Orphan | undefined }> {
    const { lane, instance } = this.#parts
    return lane.aside(nowMs, async () => {
      const holds = await instance.orphans(afterId)
      const harvest = await this.#recoverThese(holds, nowMs)
      this.#recovered += harvest.recovered
      return { harvest, last: holds.at(-1) }
    })
  }

  async #recoverThese(holds: readonly Orphan[], nowMs: number): Promise<ReapResult> {
    if (holds.length === 0) return NOTHING
    try {
      return { recovered: await this.#parts.instance.recover(holds, nowMs), failure: undefined }
    } catch (error) {
      if (isStoreFailure(error)) throw error
      if (holds.length > 1) return this.#recoverHalves(holds, nowMs)
      return { recovered: 0, failure: `hold ${holds[0]?.holdId} cannot be recovered: ${String(error)}` }
    }
  }

  /** Retries in halves to isolate the bad holds, of which there are usually few. */
  async #recoverHalves(holds: readonly Orphan[], nowMs: number): Promise<ReapResult> {
    const middle = holds.length >> 1
    const first = await this.#recoverThese(holds.slice(0, middle), nowMs)
    return joined(first, await this.#recoverThese(holds.slice(middle), nowMs))
  }

  async #declareDead(): Promise<void> {
    const { server, statements } = this.#parts
    await server.pool.use(async (connection) => {
      const { rows } = await connection.query(statements.silentInstances.sql, [SILENT_MS])
      for (const [id] of rows) await connection.query(statements.declareDead.sql, [id, SILENT_MS])
    })
  }
}

const NOTHING: ReapResult = { recovered: 0, failure: undefined }

function joined(first: ReapResult, second: ReapResult): ReapResult {
  return {
    recovered: first.recovered + second.recovered,
    failure: second.failure ?? first.failure,
  }
}
