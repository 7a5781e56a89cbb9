import { invariant } from '@tollgate/kit/invariant'
import type { Command, CommandContext } from '../core/command.ts'
import type { FoldInput } from '../inputs.ts'
import { foldInParts } from '../core/fold-parts.ts'
import type { JournalRange } from '../core/journal-range.ts'
import type { FoldReply, JournalPosition, Reply } from '../core/storage.ts'
import { RangeReader } from '../journal/read-range.ts'
import type { BatchQueue } from './batch-queue.ts'

/** Files that are read in turn: those of this process, and one that is adopted. */
const FILES_MAX = 8

/** Reads ranges of journals and folds them between the batches of the instance. */
export class ServerFolds {
  readonly #queue: BatchQueue
  readonly #journals = new RangeReader()
  readonly #positions: () => Promise<readonly JournalPosition[]>
  /** The transaction of a fold that was rejected: it may have been committed. By file and position. */
  readonly #doubtful = new Map<string, Command>()

  /** By file that is being read: how far others were folded when it was begun. */
  readonly #others = new Map<string, ReadonlyMap<string, number>>()

  constructor(queue: BatchQueue, positions: () => Promise<readonly JournalPosition[]>) {
    this.#queue = queue
    this.#positions = positions
  }

  async fold(range: JournalRange, context: CommandContext): Promise<FoldReply> {
    const positions = this.#others.get(range.fileId) ?? (await this.#begin(range.fileId))
    const folding = foldInParts(
      range,
      this.#journals.read(range, (fileId) => positions.get(fileId) ?? 0),
    )
    let step = folding.next({ type: 'failed', detail: '' })
    while (!step.done) step = folding.next(await this.#attempt(step.value, context))
    return step.value
  }

  /** Only the first range of a file has lines of another file, which was folded before. */
  prepare(fileId: string): Promise<void> | undefined {
    return this.#others.has(fileId) ? undefined : this.#begin(fileId).then(() => undefined)
  }

  async #begin(fileId: string): Promise<ReadonlyMap<string, number>> {
    const positions = new Map((await this.#positions()).map((each) => [each.fileId, each.position]))
    for (const [oldest] of this.#others) if (this.#others.size >= FILES_MAX) this.#others.delete(oldest)
    this.#others.set(fileId, positions)
    return positions
  }

  /** Submits the same object again after a rejection, so that it is carried out once. */
  async #attempt(input: FoldInput, context: CommandContext): Promise<Reply> {
    const key = `${input.fileId}:${input.from}:${input.to}`
    const command = this.#doubtful.get(key) ?? { type: 'fold', input }
    this.#doubtful.set(key, command)
    const [reply] = await this.#queue.run([command], context)
    this.#doubtful.delete(key)
    invariant(reply, 'every command is answered')
    return reply
  }
}
