import type { ServerAccess } from '@tollgate/store/server/open-server-store'
import { FIRST, type Instance, type Orphan } from './instance.ts'
import { type Lane, isStoreFailure } from './lane.ts'
import type { Statements } from './statements.ts'

/** A node that has not shown itself for so long is dead, or so far behind that it has to settle late. */
export const SILENT_MS = 30_000

export interface ReaperParts {
  readonly server: ServerAccess
  readonly statements: Statements
  readonly lane: Lane
  readonly instance: Instance
}

export interface Harvest {
  /** Holds it ended. */
  readonly recovered: number
  /** Why the last of the holds that could not be ended was not: a bug. Its quota stays set aside, its neighbours' does not. */
  readonly failure: string | undefined
}

/** Ends what dead nodes left open. Any number may reap at once: each node is declared dead once, each hold ended once. */
export class Reaper {
  readonly #parts: ReaperParts
  #recovered = 0

  constructor(parts: ReaperParts) {
    this.#parts = parts
  }

  /** Holds ended since the start. */
  get recovered(): number {
    return this.#recovered
  }

  /** What it did itself: another may be reaping in this process at the same time. */
  async reap(nowMs: number): Promise<Harvest> {
    await this.#declareDead()
    let harvest: Harvest = NOTHING
    for (let last: Orphan | undefined = FIRST; last;) {
      const step = await this.#recoverSome(last.holdId, nowMs)
      harvest = joined(harvest, step.harvest)
      last = step.last
    }
    return harvest
  }

  /** Batches may come in between two of these. */
  #recoverSome(afterId: string, nowMs: number): Promise<{ harvest: Harvest; last: Orphan | undefined }> {
    const { lane, instance } = this.#parts
    return lane.aside(nowMs, async () => {
      const holds = await instance.orphans(afterId)
      const harvest = await this.#recoverThese(holds, nowMs)
      this.#recovered += harvest.recovered
      return { harvest, last: holds.at(-1) }
    })
  }

  async #recoverThese(holds: readonly Orphan[], nowMs: number): Promise<Harvest> {
    if (holds.length === 0) return NOTHING
    try {
      return { recovered: await this.#parts.instance.recover(holds, nowMs), failure: undefined }
    } catch (error) {
      if (isStoreFailure(error)) throw error
      if (holds.length > 1) return this.#recoverHalves(holds, nowMs)
      return { recovered: 0, failure: `hold ${holds[0]?.holdId} cannot be recovered: ${String(error)}` }
    }
  }

  /** Few of them are bad, as a rule. */
  async #recoverHalves(holds: readonly Orphan[], nowMs: number): Promise<Harvest> {
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

const NOTHING: Harvest = { recovered: 0, failure: undefined }

function joined(first: Harvest, second: Harvest): Harvest {
  return {
    recovered: first.recovered + second.recovered,
    failure: second.failure ?? first.failure,
  }
}
