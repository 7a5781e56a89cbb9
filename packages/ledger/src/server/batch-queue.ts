import { invariant } from '@tollgate/kit/invariant'
import { StoreError } from '@tollgate/store/database/errors'
import type { CommandContext, Command } from '../core/command.ts'
import type { Reply } from '../core/storage.ts'
import type { DecidedCommands } from './batch.ts'
import type { Instance } from './instance.ts'

/**
 * Runs batches on the one instance, one after another in the order of the calls.
 *
 * When {@link run} rejects, the admissions among its commands are given up: if one turns out to have been
 * committed, its hold is released. All other commands may be submitted again, as the same objects, and are
 * carried out once.
 */
export class BatchQueue {
  readonly #instance: Instance
  /**
   * Replies to commands that were carried out although the rest of their batch failed or its reply was lost.
   */
  readonly #replies = new WeakMap<Command, Reply>()
  #givenUp: string[] = []
  #last: Promise<unknown> = Promise.resolve()

  constructor(instance: Instance) {
    this.#instance = instance
  }

  /** Without commands it sends a heartbeat, which shows whether the server is reachable. */
  run(commands: readonly Command[], { nowMs }: CommandContext): Promise<readonly Reply[]> {
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

  /** After a rejection: whether the command was not carried out and is not in doubt either. */
  isUntouched(command: Command): boolean {
    return !this.#replies.has(command) && !this.#instance.isInDoubt(command)
  }

  /**
   * Runs other work on the instance between two batches. It first finds out what became of the last batch,
   * because otherwise a later batch number would make a lost batch look committed.
   */
  aside<T>(nowMs: number, work: () => Promise<T>): Promise<T> {
    return this.inTurn(async () => {
      await this.#makeReady(nowMs)
      return work()
    })
  }

  /**
   * Runs work in order, without checking the last batch. Only for work before the first batch or after the
   * last.
   */
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

  /**
   * When a batch fails because of a command, its commands are run one by one, so that only the bad command
   * fails.
   */
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

  /** Marks an admission whose caller is gone, so that its hold is released. */
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

/** The store failed temporarily; the commands are not the cause. */
export function isStoreFailure(error: unknown): boolean {
  return error instanceof StoreError && (error.kind === 'unreachable' || error.kind === 'busy')
}

function detailOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
