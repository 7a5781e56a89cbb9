import type { ServerAccess } from '@tollgate/store/server/open-server-store'
import { FIRST, type Instance, type Orphan } from './instance.ts'
import { type Lane, isStoreFailure } from './lane.ts'
import type { Statements } from './statements.ts'

/** A node that has not shown itself for so long is dead, or so far behind that it has to settle late. */
const SILENT_MS = 30_000

export interface ReaperParts {
  readonly server: ServerAccess
  readonly statements: Statements
  readonly lane: Lane
  readonly instance: Instance
}

/** Ends what dead nodes left open. Any number may reap at once: each node is declared dead once, each hold ended once. */
export class Reaper {
  readonly #parts: ReaperParts
  #recovered = 0
  #failure: string | undefined

  constructor(parts: ReaperParts) {
    this.#parts = parts
  }

  /** Holds ended since the start. */
  get recovered(): number {
    return this.#recovered
  }

  /** Why the last of the holds that could not be ended was not: a bug. Its quota stays set aside, its neighbours' does not. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** Returns how many holds it ended. */
  async reap(nowMs: number): Promise<number> {
    await this.#declareDead()
    this.#failure = undefined
    const before = this.#recovered
    for (let last: Orphan | undefined = FIRST; last;) last = await this.#recoverSome(last.holdId, nowMs)
    return this.#recovered - before
  }

  /** Batches may come in between two of these. Returns the last hold it looked at, if there was one. */
  #recoverSome(afterId: string, nowMs: number): Promise<Orphan | undefined> {
    const { lane, instance } = this.#parts
    return lane.aside(nowMs, async () => {
      const holds = await instance.orphans(afterId)
      this.#recovered += await this.#recoverThese(holds, nowMs)
      return holds.at(-1)
    })
  }

  async #recoverThese(holds: readonly Orphan[], nowMs: number): Promise<number> {
    if (holds.length === 0) return 0
    try {
      return await this.#parts.instance.recover(holds, nowMs)
    } catch (error) {
      if (isStoreFailure(error)) throw error
      if (holds.length > 1) return this.#recoverHalves(holds, nowMs)
      this.#failure = `hold ${holds[0]?.holdId} cannot be recovered: ${String(error)}`
      return 0
    }
  }

  /** Few of them are bad, as a rule. */
  async #recoverHalves(holds: readonly Orphan[], nowMs: number): Promise<number> {
    const middle = holds.length >> 1
    const ended = await this.#recoverThese(holds.slice(0, middle), nowMs)
    return ended + (await this.#recoverThese(holds.slice(middle), nowMs))
  }

  async #declareDead(): Promise<void> {
    const { server, statements } = this.#parts
    await server.pool.use(async (connection) => {
      const { rows } = await connection.query(statements.silentInstances.sql, [SILENT_MS])
      for (const [id] of rows) await connection.query(statements.declareDead.sql, [id, SILENT_MS])
    })
  }
}
