/** What runs by the clock. */
export interface Job {
  readonly name: string
  readonly everyMs: number
  /** Before its first run; `everyMs` unless told. */
  readonly firstMs?: number
  /** Over one database: at one of its processes, or at each of them. */
  readonly runs: 'once' | 'everywhere'
  run(): Promise<void>
}

export interface JobsDeps {
  readonly jobs: readonly Job[]
  /** Whether what runs once runs in this process. */
  readonly mayRunOnce: () => boolean
  readonly log: JobsLog
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
export function openJobs({ jobs, mayRunOnce, log }: JobsDeps): Jobs {
  const timers = new Set<NodeJS.Timeout>()
  const underWay = new Map<string, Promise<void>>()

  async function runLogged(job: Job): Promise<void> {
    try {
      await job.run()
    } catch (error) {
      log.error({ error, job: job.name }, 'a job failed; it runs again at its next time')
    } finally {
      underWay.delete(job.name)
    }
  }

  function runIfDue(job: Job): void {
    if (underWay.has(job.name) || (job.runs === 'once' && !mayRunOnce())) return
    underWay.set(job.name, runLogged(job))
  }

  for (const job of jobs) {
    timers.add(setInterval(() => runIfDue(job), job.everyMs).unref())
    if (job.firstMs !== undefined) timers.add(setTimeout(() => runIfDue(job), job.firstMs).unref())
  }
  return {
    close: async () => {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(underWay.values())
    },
  }
}
