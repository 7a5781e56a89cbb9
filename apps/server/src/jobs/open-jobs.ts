import type { Job, JobsLog } from './job.ts'
import type { JobRunLog } from './job-run-log.ts'

export interface JobsDeps {
  readonly jobs: readonly Job[]
  /** Whether jobs with `runs: 'once'` run in this process. */
  readonly mayRunOnce: () => boolean
  readonly log: JobsLog
  /** Records runs for operators and reports the runs they request. */
  readonly notes?: JobRunLog
}

export interface Jobs {
  /** Starts no more runs; resolves when those under way have ended. */
  close(): Promise<void>
}

/** Schedules jobs. Each waits for its own previous run, so a slow job never overlaps itself. */
export function openJobs({ jobs, mayRunOnce, log, notes }: JobsDeps): Jobs {
  const timers = new Set<NodeJS.Timeout>()
  const underWay = new Map<string, Promise<void>>()

  async function runLogged(job: Job, isAsked: boolean): Promise<void> {
    const run = notes?.begin(job, isAsked)
    try {
      const figures = await job.run({ isAsked, report: (progress) => run?.report(progress) })
      await run?.end('ok', figures ?? {})
    } catch (error) {
      log.error({ error, job: job.name }, 'a job failed; it runs again at its next scheduled time')
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
