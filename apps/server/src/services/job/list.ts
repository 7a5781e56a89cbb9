import type { Job, jobRoutes } from '@tollgate/contract/job'
import { JOB_SILENT_MS, listJobRuns } from '@tollgate/store/operations/job-runs'
import type { JobRunTable } from '@tollgate/store/tables/operations'
import type { ListedJob } from '../../jobs/job-run-log.ts'
import type { Handler } from '../handler.ts'
import type { JobServices } from './services.ts'
import { titleOf } from './titles.ts'

export function listJobs({ store, clock, jobNotes }: JobServices): Handler<typeof jobRoutes.list> {
  return async () => {
    const runs = new Map((await listJobRuns(store)).map((run) => [run.name, run]))
    const nowMs = clock.nowMs()
    return jobNotes.jobs.map((job) => wireJob(job, runs.get(job.name), nowMs))
  }
}

function wireJob(job: ListedJob, run: JobRunTable | undefined, nowMs: number): Job {
  const { name, runs, everyMs = 0 } = job
  const { started_ms: startedMs = 0, ended_ms: endedMs = 0 } = run ?? {}
  const state = stateOf(run, nowMs)
  return {
    name,
    title: titleOf(name),
    every_seconds: everyMs / 1000,
    runs,
    state,
    started_time: Math.floor(startedMs / 1000),
    ended_time: Math.floor(endedMs / 1000),
    duration_ms: Math.max(0, (state === 'running' ? nowMs : endedMs) - startedMs),
    next_time: Math.floor(Math.max(run?.next_ms ?? 0, job.nextMs) / 1000),
    outcome: run?.outcome ?? '',
    figures: figuresOf(run?.figures ?? ''),
    done: run?.done ?? 0,
    total: run?.total ?? 0,
  }
}

/** A run without a recent heartbeat counts as idle: its process has died and will never report its end. */
function stateOf(run: JobRunTable | undefined, nowMs: number): Job['state'] {
  if (run === undefined || run.beat_ms <= nowMs - JOB_SILENT_MS) return 'idle'
  return run.state
}

function figuresOf(text: string): Record<string, number> {
  return text === '' ? {} : JSON.parse(text)
}
