import { z } from 'zod'
import { unixSecondsSchema } from './envelope.ts'
import { defineRoute, siteBodyless, siteReading } from './route.ts'

/** A background job: when it last ran, when it runs next, and its result. */

export const jobSchema = z.object({
  name: z.string(),
  title: z.object({ en: z.string(), zh: z.string() }),
  /** 0: runs at its times, or only on request. */
  every_seconds: z.number(),
  /** A cron pattern, or nothing. */
  times: z.string(),
  /** With several processes: in one of them, or in each. */
  runs: z.enum(['once', 'everywhere']),
  state: z.enum(['idle', 'asked', 'running']),
  /** Start of the current run, else of the last one; 0: it has never run. */
  started_time: unixSecondsSchema,
  /** 0 before the first run has ended. */
  ended_time: unixSecondsSchema,
  duration_ms: z.int(),
  /** 0: no run is scheduled. */
  next_time: unixSecondsSchema,
  outcome: z.enum(['', 'ok', 'failed']),
  /** Why the last run failed, if operators can mend it. */
  reason: z.object({ en: z.string(), zh: z.string() }).nullable(),
  figures: z.record(z.string(), z.number()),
  /** Progress of the current run. */
  done: z.int(),
  total: z.int(),
})
export type Job = z.infer<typeof jobSchema>

export const jobRoutes = {
  list: defineRoute({
    ...siteReading,
    path: '/api/job',
    summary: 'Background jobs: last run, next run and result of each',
    data: z.array(jobSchema),
  }),
  run: defineRoute({
    ...siteBodyless,
    method: 'POST',
    path: '/api/job/:name/run',
    summary: 'Runs a job now, in the process that runs the jobs',
    params: z.object({ name: z.string().max(64) }),
    data: z.null(),
  }),
} as const
