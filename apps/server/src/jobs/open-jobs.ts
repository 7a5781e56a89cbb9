import { type Clock, systemClock } from '@tollgate/kit/clock'
import { type Job, JobFailure, type JobsLog } from './job.ts'
import type { Schedule } from './schedule.ts'
import type { JobRunLog } from './job-run-log.ts'

export interface JobsDeps {
  readonly jobs: readonly Job[]
  /** Whether jobs with `runs: 'once'` run in this process. */
  readonly mayRunOnce: () => boolean
  readonly log: JobsLog
  readonly clock?: Clock
  /** Records runs for operators and reports the runs they request. */
  readonly notes?: JobRunLog
}

export interface Jobs {
  /** Starts no more runs; resolves when those under way have ended and each job has cleaned up. */
  close(): Promise<void>
}

/** How exactly a time of a schedule is kept. */
const LOOK_EVERY_MS = 10_000

/** Schedules jobs. Each waits for its own previous run, so a slow job never overlaps itself. */
export function openJobs({ jobs, mayRunOnce, log, notes, clock = systemClock }: JobsDeps): Jobs {
  const stopped = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  const underWay = new Map<string, Promise<void>>()
  /** The last failure of each job, so that a receiver that is down for a day is one line of the log. */
  const failures = new Map<string, string>()

  function logFailure(job: Job, error: unknown): void {
    if (error instanceof JobFailure && failures.get(job.name) === error.message) return
    if (error instanceof JobFailure) failures.set(job.name, error.message)
    log.error({ error, job: job.name }, 'a job failed; it runs again at its next scheduled time')
  }

  async function runLogged(job: Job, isAsked: boolean): Promise<void> {
    const run = notes?.begin(job, isAsked)
    try {
      const figures = await job.run({
        isAsked,
        signal: stopped.signal,
        report: (progress) => run?.report(progress),
      })
      failures.delete(job.name)
      await run?.end('ok', figures ?? {})
    } catch (error) {
      logFailure(job, error)
      await run?.end('failed', {}, error instanceof JobFailure ? error.words : undefined)
    } finally {
      underWay.delete(job.name)
    }
  }

  async function endLogged(job: Job): Promise<void> {
    await job.end?.().catch((error: unknown) => {
      log.error({ error, job: job.name }, 'a job could not clean up while the process stopped')
    })
  }

  function runIfDue(job: Job, isAsked = false): void {
    if (underWay.has(job.name) || (job.runs === 'once' && !mayRunOnce())) return
    underWay.set(job.name, runLogged(job, isAsked))
  }

  /** A time that was missed because the machine slept is caught up once. */
  function watch(job: Job, schedule: Schedule): NodeJS.Timeout {
    let seenMs = clock.nowMs()
    return setInterval(() => {
      const nowMs = clock.nowMs()
      const dueMs = schedule.next(seenMs)
      seenMs = nowMs
      if (dueMs !== undefined && dueMs <= nowMs) runIfDue(job)
    }, LOOK_EVERY_MS)
  }

  for (const job of jobs) {
    if (job.schedule !== undefined) timers.add(watch(job, job.schedule).unref())
    if (job.everyMs !== undefined) timers.add(setInterval(() => runIfDue(job), job.everyMs).unref())
    if (job.firstMs !== undefined) timers.add(setTimeout(() => runIfDue(job), job.firstMs).unref())
  }
  const ended = notes?.open(jobs, { mayRun: mayRunOnce, run: (job) => runIfDue(job, true) })
  return {
    close: async () => {
      for (const timer of timers) clearInterval(timer)
      stopped.abort()
      await ended?.()
      await Promise.all(underWay.values())
      await Promise.all(jobs.map(endLogged))
    },
  }
}
