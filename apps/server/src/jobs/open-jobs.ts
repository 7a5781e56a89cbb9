import type { JobNotes } from './job-notes.ts'

/** What runs by the clock, or when an operator asks. */
export interface Job {
  readonly name: string
  /** `undefined`: only when somebody asks. */
  readonly everyMs?: number
  /** Before its first run; `everyMs` unless told. */
  readonly firstMs?: number
  /** Over one database: at one of its processes, or at each of them. */
  readonly runs: 'once' | 'everywhere'
  /** What came of it, in figures that operators see. */
  run(context?: RunContext): Promise<Figures | void>
}

export interface RunContext {
  readonly report: Report
  /** An operator asked for it; otherwise its time had come. */
  readonly isAsked: boolean
}

export type Figures = Readonly<Record<string, number>>

/** How far a long run is. */
export type Report = (progress: { readonly done: number; readonly total: number }) => void

export interface JobsDeps {
  readonly jobs: readonly Job[]
  /** Whether what runs once runs in this process. */
  readonly mayRunOnce: () => boolean
  readonly log: JobsLog
  /** Where runs are written down for operators, and asked for by them. */
  readonly notes?: JobNotes
}

export interface JobsLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}

export interface Jobs {
  /** No run begins any more; resolves when those under way have ended. */
  close(): Promise<void>
}

/** Each job waits for its own last run, so a slow one never overtakes itself. */
export function openJobs({ jobs, mayRunOnce, log, notes }: JobsDeps): Jobs {
  const timers = new Set<NodeJS.Timeout>()
  const underWay = new Map<string, Promise<void>>()

  async function runLogged(job: Job, isAsked: boolean): Promise<void> {
    const run = notes?.begin(job, isAsked)
    try {
      const figures = await job.run({ isAsked, report: (progress) => run?.report(progress) })
      await run?.end('ok', figures ?? {})
    } catch (error) {
      log.error({ error, job: job.name }, 'a job failed; it runs again at its next time')
      await run?.end('failed', {})
    } finally {
      underWay.delete(job.name)
    }
  }

  function runIfDue(job: Job, isAsked = false): void {
    if (underWay.has(job.name) || (job.runs === 'once' && !mayRunOnce())) return
    underWay.set(job.name, runLogged(job, isAsked))
  }

  for (const job of jobs) {
    if (job.everyMs !== undefined) timers.add(setInterval(() => runIfDue(job), job.everyMs).unref())
    if (job.firstMs !== undefined) timers.add(setTimeout(() => runIfDue(job), job.firstMs).unref())
  }
  const ended = notes?.open(jobs, { mayRun: mayRunOnce, run: (job) => runIfDue(job, true) })
  return {
    close: async () => {
      for (const timer of timers) clearInterval(timer)
      await ended?.()
      await Promise.all(underWay.values())
    },
  }
}
