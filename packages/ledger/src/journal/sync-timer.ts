import type { Clock } from '@tollgate/kit/clock'
import type { JournalFile } from './journal-file.ts'

export interface SyncTimerOptions {
  readonly syncMs: number
  readonly clock: Clock
  /** The file that is written now; `undefined` while there is none. */
  readonly file: () => JournalFile | undefined
  readonly onSynced: (file: JournalFile) => void
  /** May continue in another file. */
  readonly onFailure: (error: Error, file: JournalFile) => void
}

interface Waiter {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** Syncs the current file `syncMs` after its first unsynced write, or at once on request, one sync at a time. */
export class SyncTimer {
  readonly #options: SyncTimerOptions
  #timer: NodeJS.Timeout | undefined
  #unsyncedSinceMs: number | undefined
  #isRunning = false
  #waiting: Waiter[] = []

  constructor(options: SyncTimerOptions) {
    this.#options = options
  }

  /** To be called after each write. */
  schedule(): void {
    const { clock, syncMs } = this.#options
    this.#unsyncedSinceMs ??= clock.monotonicMs()
    if (this.#isRunning || this.#timer !== undefined) return
    const passedMs = clock.monotonicMs() - this.#unsyncedSinceMs
    const delayMs = Math.min(syncMs, Math.max(0, syncMs - passedMs))
    this.#timer = setTimeout(() => this.#start(), delayMs)
  }

  /** Resolves after a sync that began after this call, of the file that is then current. */
  sync(): Promise<void> {
    const file = this.#options.file()
    if (file !== undefined && file.synced === file.end) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      if (!this.#isRunning) this.#start()
    })
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #start(): void {
    this.stop()
    const file = this.#options.file()
    if (file === undefined) return
    const waiters = this.#waiting
    this.#waiting = []
    this.#unsyncedSinceMs = undefined
    this.#isRunning = true
    file.sync((error) => {
      this.#isRunning = false
      this.#finish(file, waiters, error)
    })
  }

  #finish(file: JournalFile, waiters: readonly Waiter[], error: Error | null): void {
    const { file: current, onSynced, onFailure } = this.#options
    if (error !== null) onFailure(error, file)
    else onSynced(file)
    const now = current()
    // When the file was left meanwhile, what it had unsynced is in the current one.
    if (error === null && file === now) for (const { resolve } of waiters) resolve()
    else this.#waiting.unshift(...waiters)
    if (now === undefined) this.#rejectAll(error)
    else if (this.#waiting.length > 0) this.#start()
    else if (now.end > now.synced) this.schedule()
  }

  #rejectAll(error: Error | null): void {
    for (const { reject } of this.#waiting.splice(0))
      reject(error ?? new Error('the journal cannot be written'))
  }
}
