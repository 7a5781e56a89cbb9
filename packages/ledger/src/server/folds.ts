import { invariant } from '@tollgate/kit/invariant'
import type { Command, CommandContext } from '../core/command.ts'
import type { FoldInput } from '../inputs.ts'
import { readFoldDecision, runFoldStep, foldInParts } from '../core/fold-parts.ts'
import type { JournalRange } from '../core/journal-range.ts'
import type { FoldReply, JournalPosition, Reply } from '../core/storage.ts'
import { RangeReader } from '../journal/read-range.ts'
import type { BatchQueue } from './batch-queue.ts'

/** Files that are read in turn: those of this process, and one that is adopted. */
const FILES_MAX = 8

/** Reads ranges of journals and folds them between the batches of the instance. */
export class ServerFolds {
  readonly #queue: Pick<BatchQueue, 'run'>
  readonly #journals = new RangeReader()
  readonly #positions: () => Promise<readonly JournalPosition[]>
  /** The transaction of a fold that was rejected: it may have been committed. By file and first position. */
  readonly #doubtful = new Map<string, FoldCommand>()

  /** By file that is being read: how far others were folded when it was begun. */
  readonly #others = new Map<string, ReadonlyMap<string, number>>()

  constructor(queue: Pick<BatchQueue, 'run'>, positions: () => Promise<readonly JournalPosition[]>) {
    this.#queue = queue
    this.#positions = positions
  }

  async fold(range: JournalRange, context: CommandContext): Promise<FoldReply> {
    const doubtful = this.#doubtful.get(formatPlace(range))
    if (doubtful) return this.#resolve(doubtful, range, context)
    const positions = this.#others.get(range.fileId) ?? (await this.#begin(range.fileId))
    const folding = foldInParts(
      range,
      this.#journals.read(range, (fileId) => positions.get(fileId) ?? 0),
    )
    let step = folding.next({ type: 'failed', detail: '' })
    while (!step.done) {
      const command: FoldCommand = { type: 'fold', input: step.value }
      step = await runFoldStep(folding, this.#attempt(command, context))
    }
    return step.value
  }

  /**
   * The lines after this position were submitted before, perhaps to another end, and their reply was lost. Only that
   * transaction tells what it took from the accounts, so it is submitted again before what follows.
   */
  async #resolve(command: FoldCommand, range: JournalRange, context: CommandContext): Promise<FoldReply> {
    const reply = await this.#attempt(command, context)
    if (reply.type === 'failed') return this.fold(range, context)
    const { outcome, alarm } = readFoldDecision(reply.decision)
    const alarms = alarm ? [alarm] : []
    const { to } = command.input
    if (outcome.type === 'moved' || to === range.to) return { result: outcome, alarms }
    return { result: { ...outcome, to }, alarms }
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

  /** After a rejection the same object is to be submitted again, so that it is carried out once. */
  async #attempt(command: FoldCommand, context: CommandContext): Promise<Reply> {
    const place = formatPlace(command.input)
    this.#doubtful.set(place, command)
    const [reply] = await this.#queue.run([command], context)
    this.#doubtful.delete(place)
    invariant(reply, 'every command is answered')
    return reply
  }
}

type FoldCommand = Extract<Command, { type: 'fold' }>

function formatPlace({ fileId, from }: Pick<FoldInput, 'fileId' | 'from'>): string {
  return `${fileId}:${from}`
}
