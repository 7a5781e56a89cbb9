import type { Notices } from '@tollgate/coordination/notices'
import type { Clock } from '@tollgate/kit/clock'
import {
  endJobRun,
  listRequestedJobs,
  noteJobProgress,
  startJobRun,
} from '@tollgate/store/operations/job-runs'
import type { Db } from '@tollgate/store/tables/schema'
import type { JobFigures, Job, JobsLog, JobWords, Report } from './job.ts'

/**
 * Records job runs in the database, for all processes to read, and starts the runs that operators request.
 */
export interface JobRunLog {
  /** The jobs of this release, with the times at which this process runs them next. */
  readonly jobs: readonly ListedJob[]
  /** Starts listening for requested runs; returns a function that stops it. */
  open(jobs: readonly Job[], here: { mayRun: () => boolean; run: (job: Job) => void }): () => Promise<void>
  begin(job: Job, isAsked: boolean): RunRecorder
}

export interface ListedJob extends Pick<Job, 'name' | 'everyMs' | 'runs'> {
  /** According to the timer of this process. */
  readonly nextMs: number
  /** The cron pattern of its times; "" for a job without one. */
  readonly times: string
}

export interface RunRecorder {
  readonly report: Report
  end(outcome: 'ok' | 'failed', figures: JobFigures, reason?: JobWords): Promise<void>
}

export interface JobRunLogDeps {
  readonly db: Db
  readonly clock: Clock
  readonly notices: Pick<Notices, 'subscribe'>
  readonly log: JobsLog
}

/** Requested runs are also polled at this interval, in case a notice was lost. */
const LOOK_EVERY_MS = 10_000
/** Runs of a job that runs more often than this are recorded only from time to time. */
const OFTEN_MS = 60_000
const WRITE_EVERY_MS = 1_000
const BEAT_EVERY_MS = 15_000

export function openJobRunLog({ db, clock, notices, log }: JobRunLogDeps): JobRunLog {
  let listed: (Omit<ListedJob, 'times'> & Pick<Job, 'schedule'>)[] = []
  const writtenMs = new Map<string, number>()

  /** A failure to record a run must not stop the run. */
  async function write(writing: Promise<void>, name: string): Promise<void> {
    await writing.catch((error: unknown) => log.error({ error, job: name }, 'could not record a job run'))
  }

  function schedule({ name, everyMs }: Job, startedMs: number): number {
    const nextMs = everyMs === undefined ? 0 : startedMs + everyMs
    listed = listed.map((job) => (job.name === name ? { ...job, nextMs } : job))
    return nextMs
  }

  return {
    get jobs() {
      return listed.map(({ schedule, ...job }) =>
        schedule
          ? { ...job, times: schedule.pattern, nextMs: schedule.next(clock.nowMs()) ?? 0 }
          : { ...job, times: '' },
      )
    },
    open: (jobs, { mayRun, run }) => {
      const nowMs = clock.nowMs()
      listed = jobs.map(({ name, everyMs, firstMs, runs, schedule }) => ({
        name,
        runs,
        nextMs: everyMs === undefined ? 0 : nowMs + (firstMs ?? everyMs),
        ...(everyMs !== undefined && { everyMs }),
        ...(schedule && { schedule }),
      }))
      let looking: Promise<void> = Promise.resolve()
      async function runAsked(): Promise<void> {
        if (!mayRun()) return
        const asked = await listRequestedJobs(db)
        for (const job of jobs) if (asked.includes(job.name)) run(job)
      }
      const look = () => {
        looking = write(looking.then(runAsked), 'asked for')
      }
      const unsubscribe = notices.subscribe(({ entity }) => (entity === 'job' ? look() : undefined))
      const timer = setInterval(look, LOOK_EVERY_MS).unref()
      return async () => {
        clearInterval(timer)
        unsubscribe()
        await looking
      }
    },
    begin: (job, isAsked) => {
      const { name, everyMs = Infinity } = job
      const startedMs = clock.nowMs()
      const nextMs = schedule(job, startedMs)
      const isLong = isAsked || everyMs >= OFTEN_MS
      let writing = isLong ? write(startJobRun(db, { name, nowMs: startedMs }), name) : Promise.resolve()
      let progress = { done: 0, total: 0 }
      // Starts at minus infinity so that the first progress report is written at once: until then the console
      // cannot show how much there is to do.
      let progressMs = Number.NEGATIVE_INFINITY
      const tell = () => {
        progressMs = clock.nowMs()
        const note = { name, nowMs: progressMs, ...progress }
        writing = writing.then(() => write(noteJobProgress(db, note), name))
      }
      const beat = isLong ? setInterval(tell, BEAT_EVERY_MS).unref() : undefined
      return {
        report: (next) => {
          progress = next
          if (clock.nowMs() - progressMs >= WRITE_EVERY_MS) tell()
        },
        end: async (outcome, figures, reason) => {
          clearInterval(beat)
          await writing
          const endedMs = clock.nowMs()
          if (!isLong && outcome === 'ok' && endedMs - (writtenMs.get(name) ?? 0) < OFTEN_MS) return
          writtenMs.set(name, endedMs)
          const run = { name, started_ms: startedMs, ended_ms: endedMs, next_ms: nextMs, outcome }
          const words = reason === undefined ? null : JSON.stringify(reason)
          await write(endJobRun(db, { ...run, figures: JSON.stringify(figures), reason: words }), name)
        },
      }
    },
  }
}
