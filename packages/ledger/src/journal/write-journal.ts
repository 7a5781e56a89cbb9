import type { Clock } from '@tollgate/kit/clock'
import { isNoRoom } from '@tollgate/kit/disk-room'
import { StoreError } from '@tollgate/store/database/errors'
import { JournalFile } from './journal-file.ts'
import { type JournalFs, nodeFs } from './journal-fs.ts'
import type { JournalReserve } from './reserve.ts'
import type { JournalLine } from './line.ts'
import { SyncTimer } from './sync-timer.ts'
import { UnsyncedLines } from './unsynced-lines.ts'

export interface JournalWriterOptions {
  /** Created if it is absent. */
  readonly folder: string
  readonly databaseId: string
  readonly instanceId: string
  readonly clock: Clock
  /** The longest time between a write and the beginning of its sync; 10 by default. `always`: at once. */
  readonly syncMs?: number | 'always'
  /**
   * Lines `opened` and the last `checkpoint` of the calls in flight. They are repeated at the beginning of the
   * next file, so that readers of that file do not need the file before.
   */
  readonly openCalls?: () => Iterable<JournalLine>
  /** The writer continues in another file. The file before is to be read up to `end`. */
  readonly onNextFile?: (previous: { readonly fileId: string; readonly end: number }) => void
  readonly onFailure: (error: unknown) => void
  readonly fs?: JournalFs
  /** Files that calls in flight are written to when the disk is full. */
  readonly reserve?: Pick<JournalReserve, 'takeAs'> | undefined
  /** A new file begins after this size, so that removing files frees space. */
  readonly fileBytesMax?: number
}

const FILE_BYTES_MAX = 64 * 1024 * 1024
const RETRY_MS = 250
const UNSYNCED_LINES_MAX = 100_000

/**
 * Writes the journal of this process. A file is never written again after a failed or short write or a failed
 * sync. Then, and when it is full, the next file begins. Its head has the lines that were not known to be on
 * the disk, with the places where they stood before, and its header says from which offset on the file before
 * is replaced. So each line counts once: readers stop at that offset, and where folding had passed it, they
 * skip the repeated lines by their places (`isFolded`).
 *
 * If no file can be created, `canWrite` is `false` and `write` throws until one of the attempts, 250 ms apart,
 * succeeds. Lines `opened` are refused meanwhile. Others are kept, up to 100,000, and written by that attempt.
 */
export class JournalWriter {
  readonly #options: JournalWriterOptions
  readonly #unsynced = new UnsyncedLines()
  readonly #syncTimer: SyncTimer
  #number = 0
  #file: JournalFile
  #failure: unknown
  #retry: NodeJS.Timeout | undefined

  /** Creates the first file. Throws if that fails. */
  constructor(options: JournalWriterOptions) {
    this.#options = options
    this.#file = this.#createFirst()
    const { syncMs = 10 } = options
    this.#syncTimer = new SyncTimer({
      syncMs: syncMs === 'always' ? 0 : syncMs,
      clock: options.clock,
      file: () => (this.canWrite ? this.#file : undefined),
      onSynced: (file) => {
        if (file === this.#file) this.#dropSynced(file)
      },
      onFailure: (error, file) => {
        if (file === this.#file && this.canWrite) this.#continueInNextFile(error)
      },
    })
    this.#syncTimer.schedule()
  }

  get fileId(): string {
    return this.#file.fileId
  }

  get path(): string {
    return this.#file.path
  }

  /** Offset behind the last line that was written into the current file. */
  get position(): number {
    return this.#file.end
  }

  /** Offset up to which the current file was forced to the disk. */
  get synced(): number {
    return this.#file.synced
  }

  get canWrite(): boolean {
    return this.#retry === undefined
  }

  /**
   * Buffers a line. Returns the end that it will have in the current file, if `write` does not have to
   * continue in the next one; infinite while no file can be written.
   */
  append(line: JournalLine): number {
    if (this.#unsynced.length >= UNSYNCED_LINES_MAX) throw this.#error('too many lines wait')
    if (!this.canWrite && line.type === 'opened') throw this.#error('it accepts no calls')
    const end = this.#file.append(line)
    this.#unsynced.add(line, this.canWrite ? end : Infinity)
    if (this.canWrite) return end
    this.#file.discardBuffered()
    return Infinity
  }

  /** Writes everything buffered. When it returns, a kill of this process loses none of it. */
  write(): void {
    if (!this.canWrite) throw this.#error('it cannot be written')
    if (!this.#file.hasBuffered) return
    const error = this.#tryWrite()
    const isFull = this.#file.end >= (this.#options.fileBytesMax ?? FILE_BYTES_MAX)
    if (error !== undefined || isFull) this.#continueInNextFile(error)
    if (!this.canWrite) throw this.#error('it cannot be written')
    this.#syncTimer.schedule()
  }

  /** Resolves when everything written so far is on the disk. Rejects if no file can be written. */
  sync(): Promise<void> {
    return this.canWrite ? this.#syncTimer.sync() : Promise.reject(this.#error('it cannot be synced'))
  }

  /** Writes and syncs what is left. */
  async close(): Promise<void> {
    try {
      this.write()
      await this.sync()
    } finally {
      clearTimeout(this.#retry)
      this.#syncTimer.stop()
      if (this.canWrite) this.#file.close()
    }
  }

  #createFirst(reserve?: JournalWriterOptions['reserve']): JournalFile {
    let file: JournalFile | undefined
    try {
      file = this.#createFile(undefined, reserve)
      file.write()
      return file
    } catch (error) {
      this.#tryRemove(file)
      if (reserve === undefined && isNoRoom(error) && this.#options.reserve)
        return this.#createFirst(this.#options.reserve)
      if (file === undefined) throw error
      throw new StoreError('fatal', `the journal ${file.path} cannot be written`, { cause: error })
    }
  }

  #tryWrite(): unknown {
    try {
      this.#file.write()
      return undefined
    } catch (error) {
      return error
    }
  }

  #continueInNextFile(reason?: unknown): void {
    const previous = this.#file
    if (reason !== undefined) {
      previous.discardBuffered()
      this.#options.onFailure(reason)
    }
    const isSyncedNow = reason !== undefined || !this.canWrite
    const next = this.#nextFile(previous, isSyncedNow, reason)
    if (next === undefined) return this.#retryLater()
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#file = next
    previous.close()
    this.#options.onNextFile?.({ fileId: previous.fileId, end: previous.synced })
    this.#syncTimer.schedule()
  }

  /** Continues in the reserve when the disk has no room. */
  #nextFile(previous: JournalFile, isSyncedNow: boolean, reason: unknown): JournalFile | undefined {
    const { reserve } = this.#options
    if (!isNoRoom(reason)) {
      const next = this.#tryNextFile(previous, isSyncedNow)
      if (next !== undefined || !isNoRoom(this.#failure)) return next
    }
    return this.#tryNextFile(previous, isSyncedNow, reserve)
  }

  /** After a failure a file is used only if it can be synced; otherwise each failed sync would leave a file. */
  #tryNextFile(
    previous: JournalFile,
    isSyncedNow: boolean,
    reserve?: JournalWriterOptions['reserve'],
  ): JournalFile | undefined {
    let next: JournalFile | undefined
    try {
      next = this.#createFile({ fileId: previous.fileId, offset: previous.synced }, reserve)
      for (const line of this.#options.openCalls?.() ?? []) next.append(line)
      const ends = this.#unsynced.copyInto(next, previous)
      next.write()
      if (isSyncedNow) next.syncNow()
      this.#unsynced.moved(ends, previous)
      this.#dropSynced(next)
      return next
    } catch (error) {
      this.#reportNoFile(error)
      this.#tryRemove(next)
      return undefined
    }
  }

  /** A file with a part of its head is ignored by readers; removing it only frees its space. */
  #tryRemove(file: JournalFile | undefined): void {
    try {
      file?.remove()
    } catch (error) {
      this.#reportNoFile(error)
    }
  }

  /** Reports only the first of the attempts. */
  #reportNoFile(error: unknown): void {
    this.#failure = error
    if (this.canWrite) this.#options.onFailure(error)
  }

  #retryLater(): void {
    this.#file.discardBuffered()
    this.#retry = setTimeout(() => this.#continueInNextFile(), RETRY_MS).unref()
  }

  #dropSynced(file: JournalFile): void {
    this.#unsynced.dropFirst(this.#unsynced.countUpTo(file.synced))
  }

  #createFile(
    continues?: { fileId: string; offset: number },
    reserve?: JournalWriterOptions['reserve'],
  ): JournalFile {
    const { folder, databaseId, instanceId, clock, fs = nodeFs } = this.#options
    const createdMs = clock.nowMs()
    const number = ++this.#number
    return new JournalFile({
      folder,
      databaseId,
      instanceId,
      createdMs,
      continues,
      number,
      fs,
      reserve,
    })
  }

  /** Leaves a file of the reserve once there is room again. */
  leaveReserve(): void {
    if (this.canWrite) this.#continueInNextFile()
  }

  #error(what: string): StoreError {
    return new StoreError('fatal', `the journal is broken: ${what}`, { cause: this.#failure })
  }
}
