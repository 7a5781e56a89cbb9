import { invariant } from '@tollgate/kit/invariant'
import { StoreError } from '@tollgate/store/errors'
import type { Circumstances, Command } from '../core/command.ts'
import type { Reply } from '../core/storage.ts'
import type { DecidedCommands } from './batch.ts'
import type { Instance } from './instance.ts'

/**
 * Batch after batch on the one instance, in the order of asking.
 *
 * When {@link run} rejects, the admissions among its commands are given up: should one turn out to have been committed,
 * its hold is released. All others may be sent again, as the same objects, and are carried out once.
 */
export class Lane {
  readonly #instance: Instance
  /** To commands that were carried out in a batch whose other commands, or whose answer, failed. */
  readonly #replies = new WeakMap<Command, Reply>()
  #givenUp: string[] = []
  #last: Promise<unknown> = Promise.resolve()

  constructor(instance: Instance) {
    this.#instance = instance
  }

  /** Without commands it asks whether the server is there. */
  run(commands: readonly Command[], { nowMs }: Circumstances): Promise<readonly Reply[]> {
    return this.inTurn(async () => {
      try {
        await this.#makeReady(nowMs)
        if (commands.length === 0) await this.#instance.beat(nowMs)
        await this.#carryOut(
          commands.filter((command) => !this.#replies.has(command)),
          nowMs,
        )
      } catch (error) {
        for (const command of commands) this.#giveUp(command)
        throw error
      }
      return commands.map((command) => this.#replyTo(command))
    })
  }

  /**
   * Something else on the instance, between two batches. It writes no number and begins no transaction before it is known
   * what became of the last batch: a later number would pass for that one's.
   */
  aside<T>(nowMs: number, work: () => Promise<T>): Promise<T> {
    return this.inTurn(async () => {
      await this.#makeReady(nowMs)
      return work()
    })
  }

  /** Before the first batch, or after the last. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #makeReady(nowMs: number): Promise<void> {
    const survived = await this.#instance.resume()
    if (survived) {
      this.#note(survived)
      for (const command of survived.commands) this.#giveUp(command)
    }
    if (this.#givenUp.length === 0) return
    await this.#instance.transact(
      this.#givenUp.map((holdId) => ({ type: 'release', input: { holdId } })),
      nowMs,
    )
    this.#givenUp = []
  }

  /** One bad command does not fail its neighbours: they are then carried out one by one. */
  async #carryOut(commands: readonly Command[], nowMs: number): Promise<void> {
    if (commands.length === 0) return
    try {
      this.#note(await this.#instance.transact(commands, nowMs))
    } catch (error) {
      if (isStoreFailure(error)) throw error
      const [only] = commands
      if (commands.length === 1 && only) this.#replies.set(only, { type: 'failed', detail: detailOf(error) })
      else for (const command of commands) await this.#carryOut([command], nowMs)
    }
  }

  #note({ commands, decisions }: DecidedCommands): void {
    for (const [index, command] of commands.entries()) {
      const decision = decisions[index]
      if (decision) this.#replies.set(command, { type: 'decided', decision })
    }
  }

  /** Nobody waits for this admission any more. */
  #giveUp(command: Command): void {
    if (command.type !== 'reserve' || !this.#replies.delete(command)) return
    this.#givenUp.push(command.input.holdId)
  }

  #replyTo(command: Command): Reply {
    const reply = this.#replies.get(command)
    invariant(reply, 'every command of a batch is answered')
    this.#replies.delete(command)
    return reply
  }
}

/** The store could not do it now; the commands had no part in it. */
export function isStoreFailure(error: unknown): boolean {
  return error instanceof StoreError && (error.kind === 'unreachable' || error.kind === 'busy')
}

function detailOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
