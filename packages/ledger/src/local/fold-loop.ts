import type { AllotmentReport } from '../inputs.ts'
import type { FoldResult } from '../results.ts'
import type { AllotmentCheck } from './allotment-check.ts'
import type { UnfoldedRange } from './unfolded-range.ts'

export interface FoldLoopParts {
  /** The oldest range, at most `ends` calls long if possible; `undefined` when everything is folded. */
  readonly next: () => UnfoldedRange | undefined
  /** An empty range where the journal ends, with which reports are folded that no line comes with. */
  readonly end: () => UnfoldedRange
  /** Whether accounts changed since their last report. */
  readonly hasReports: () => boolean
  /** The file is in the ledger up to this position. */
  readonly done: (range: UnfoldedRange, position: number) => void
  /** Awaited before the reports are taken: from then on no request of this process may get ahead of the fold. */
  readonly ready?: (range: UnfoldedRange) => Promise<void> | undefined
  readonly takeReports: () => readonly AllotmentReport[]
  readonly reportAgain: (reports: readonly AllotmentReport[]) => void
  readonly fold: (range: UnfoldedRange, reports: readonly AllotmentReport[]) => Promise<FoldResult>
  readonly onFolded: (result: FoldResult) => void
  /** Compares accounts once everything written before is folded; see {@link import('./allotment-check.ts').AllotmentCheck}. */
  readonly check?: Pick<AllotmentCheck, 'isDue' | 'begin'>
  /** Called for the first of several failures in a row. */
  readonly onFailure: (error: unknown) => void
}

const FOLD_MS = 100
/** Pause after a failure, for example while the server is down. */
const RETRY_MS = 250

/** Folds the journal regularly, and at once when somebody waits for it. One range at a time. */
export class FoldLoop {
  readonly #parts: FoldLoopParts
  #timer: NodeJS.Timeout | undefined
  #running: Promise<boolean> | undefined
  #isClosed = false
  #hasFailed = false

  constructor(parts: FoldLoopParts) {
    this.#parts = parts
  }

  /** To be called when something was written, or an account changed without a line. */
  wake(): void {
    if (this.#isClosed || this.#timer !== undefined) return
    this.#timer = setTimeout(() => this.#onTimer(), FOLD_MS)
    this.#timer.unref()
  }

  /** Folds everything written so far. Resolves to false when the ledger could not be written. */
  async catchUp(): Promise<boolean> {
    // What is being folded now may have begun before the last line was written.
    if (this.#running) await this.#running
    return this.#run()
  }

  async close(): Promise<boolean> {
    let isFolded = await this.catchUp()
    while (isFolded && this.#parts.next() !== undefined) isFolded = await this.#run()
    this.#isClosed = true
    clearTimeout(this.#timer)
    return isFolded
  }

  #onTimer(): void {
    this.#timer = undefined
    void this.#runOrRetry()
  }

  async #runOrRetry(): Promise<void> {
    if (!(await this.#run()) && !this.#isClosed) this.#retry()
  }

  #retry(): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => this.#onTimer(), RETRY_MS)
    this.#timer.unref()
  }

  #run(): Promise<boolean> {
    this.#running ??= this.#foldAll().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /**
   * Folds everything written before. Lines written meanwhile wait for the timer: under load there always are some,
   * and each fold is a commit. If the timer of those lines has fired during the fold, there is a next one.
   */
  async #foldAll(): Promise<boolean> {
    const isNeeded = this.#parts.hasReports() || (this.#parts.check?.isDue ?? false)
    let range = this.#parts.next() ?? (isNeeded ? this.#parts.end() : undefined)
    while (range !== undefined) {
      if (!(await this.#foldOne(range))) return false
      const rest = this.#parts.next()
      if (range.isComplete && rest?.fileId === range.fileId && rest.from >= range.to) {
        this.wake()
        return true
      }
      range = rest
    }
    // Accounts that the ledger decides about are reported afterwards.
    if (this.#parts.hasReports()) this.wake()
    return true
  }

  async #foldOne(range: UnfoldedRange): Promise<boolean> {
    let reports: readonly AllotmentReport[] = []
    let compare: ReturnType<AllotmentCheck['begin']>
    try {
      await this.#parts.ready?.(range)
      reports = this.#parts.takeReports()
      compare = this.#parts.check?.begin(range)
      if (range.from === range.to && reports.length === 0) {
        await compare?.(true)
        return true
      }
      const result = await this.#parts.fold(range, reports)
      this.#parts.onFolded(result)
      // A range that was submitted before has the reports of then.
      const reached = result.type === 'moved' ? result.position : (result.to ?? range.to)
      if (reached !== range.to || this.#hasFailed) this.#parts.reportAgain(reports)
      this.#hasFailed = false
      this.#parts.done(range, reached)
      await compare?.(result.type === 'folded' && reached === range.to)
      return true
    } catch (error) {
      await compare?.(false)
      this.#parts.reportAgain(reports)
      if (!this.#hasFailed) this.#parts.onFailure(error)
      this.#hasFailed = true
      return false
    }
  }
}
