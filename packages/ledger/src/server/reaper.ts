import type { ServerAccess } from '@tollgate/store/server/open-server-store'
import type { Instance } from './instance.ts'
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
    for (;;) {
      const ended = await this.#recoverSome(nowMs)
      if (ended === 0) return this.#recovered - before
      this.#recovered += ended
    }
  }

  /** Batches may come in between two of these. */
  #recoverSome(nowMs: number): Promise<number> {
    const { lane, instance } = this.#parts
    return lane.inTurn(async () => this.#recoverThese(await instance.orphans(), nowMs))
  }

  async #recoverThese(ids: readonly string[], nowMs: number): Promise<number> {
    if (ids.length === 0) return 0
    try {
      return await this.#parts.instance.recover(ids, nowMs)
    } catch (error) {
      if (isStoreFailure(error)) throw error
      if (ids.length > 1) return this.#recoverOneByOne(ids, nowMs)
      this.#failure = `hold ${ids[0]} cannot be recovered: ${String(error)}`
      return 0
    }
  }

  async #recoverOneByOne(ids: readonly string[], nowMs: number): Promise<number> {
    let ended = 0
    for (const id of ids) ended += await this.#recoverThese([id], nowMs)
    return ended
  }

  async #declareDead(): Promise<void> {
    const { server, statements } = this.#parts
    await server.pool.use(async (connection) => {
      const { rows } = await connection.query(statements.silentInstances.sql, [SILENT_MS])
      for (const [id] of rows) await connection.query(statements.declareDead.sql, [id, SILENT_MS])
    })
  }
}
