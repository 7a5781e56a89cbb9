import { invariant } from '@tollgate/kit/invariant'
import { StoreError } from '@tollgate/store/database/errors'
import type { SqliteConnection } from '@tollgate/store/sqlite/connection'
import type { CommandContext, Command } from '../core/command.ts'
import type { FoldInput } from '../inputs.ts'
import { decideBatch } from '../core/decide.ts'
import type { AccountId } from '../account.ts'
import type { AllottedQuota, Reply } from '../core/storage.ts'
import { SqliteChanges } from './changes.ts'
import { SqliteSource } from './source.ts'

/** Runs batches on the writing connection, each in one transaction. */
export class BatchRunner {
  readonly #connection: SqliteConnection
  readonly #source: SqliteSource
  readonly #changes: SqliteChanges

  constructor(connection: SqliteConnection) {
    this.#connection = connection
    this.#source = new SqliteSource(connection)
    this.#changes = new SqliteChanges(connection)
  }

  /**
   * When a batch fails because of a command, its commands are run one by one, so that only the bad command
   * fails.
   */
  run(commands: readonly Command[], circumstances: CommandContext): readonly Reply[] {
    try {
      return this.#runTogether(commands, circumstances)
    } catch (error) {
      if (isStoreFailure(error)) throw error
      if (commands.length === 1) return [{ type: 'failed', detail: detailOf(error) }]
      return commands.flatMap((command) => this.run([command], circumstances))
    }
  }

  positionOf(fileId: string): number {
    return this.#source.journal(fileId)?.position ?? 0
  }

  /** What is set aside for a process of these accounts. */
  readAllotments(instanceId: string, accounts: readonly AccountId[]): readonly AllottedQuota[] {
    return accounts.flatMap((id) =>
      this.#source.allotments(id).filter((row) => row.instanceId === instanceId),
    )
  }

  fold(input: FoldInput, circumstances: CommandContext): Reply {
    const [reply] = this.run([{ type: 'fold', input }], circumstances)
    invariant(reply, 'every command is answered')
    return reply
  }

  #runTogether(commands: readonly Command[], circumstances: CommandContext): readonly Reply[] {
    return this.#connection.transaction(() => {
      const { decisions, changes } = decideBatch(this.#source, commands, circumstances)
      this.#changes.write(changes)
      return decisions.map((decision) => ({ type: 'decided', decision }))
    })
  }
}

function isStoreFailure(error: unknown): boolean {
  return error instanceof StoreError && ['fatal', 'full', 'busy'].includes(error.kind)
}

function detailOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
