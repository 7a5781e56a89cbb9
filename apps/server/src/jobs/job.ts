import type { Schedule } from './schedule.ts'

/** Work that runs on a timer or when an operator requests it. */
export interface Job {
  readonly name: string
  /** `undefined`: only on request. */
  readonly everyMs?: number
  /** Times at which it runs, in place of `everyMs`. */
  readonly schedule?: Schedule
  /** Delay before the first run; `everyMs` by default. */
  readonly firstMs?: number
  /** Among the processes of one database: in only one of them, or in each. */
  readonly runs: 'once' | 'everywhere'
  /** Returns counts of what the run did, which the console shows to operators. */
  run(context?: RunContext): Promise<JobFigures | void>
  /** Called once when the process stops, after the last run has ended. */
  end?(): Promise<void>
}

export interface RunContext {
  readonly report: Report
  /** Whether an operator requested the run; otherwise it was due. */
  readonly isAsked: boolean
  /** Aborted when the process stops; long work ends early then. */
  readonly signal: AbortSignal
}

export interface JobWords {
  readonly en: string
  readonly zh: string
}

/** A run failed for a reason that operators can mend. The console shows the words. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure'
  readonly words: JobWords

  constructor(words: JobWords, options?: ErrorOptions) {
    super(words.en, options)
    this.words = words
  }
}

export type JobFigures = Readonly<Record<string, number>>

/** Reports the progress of a long run. */
export type Report = (progress: { readonly done: number; readonly total: number }) => void

export interface JobsLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}
