import type { jobRoutes } from '@tollgate/contract/job'
import { problem } from '@tollgate/problems/problem'
import { requestJob } from '@tollgate/store/operations/job-runs'
import type { Handler } from '../handler.ts'
import type { JobServices } from './services.ts'

export function runJob(services: JobServices): Handler<typeof jobRoutes.run> {
  return async (call) => {
    const { name } = call.params
    if (!services.jobNotes.jobs.some((job) => job.name === name)) throw problem('not_found')
    await services.change(call, {
      action: 'run',
      entity: 'job',
      work: async (transaction) => {
        if (!(await requestJob(transaction, { name, nowMs: services.clock.nowMs() })))
          throw problem('job_running')
      },
      row: { entityId: name, notice: 'jobs' },
    })
    return null
  }
}

/** Requests a run now, on any process that may run jobs. Returns false when the job is already running. */
export async function startJob(
  { store, clock, notices }: Pick<JobServices, 'store' | 'clock' | 'notices'>,
  name: string,
): Promise<boolean> {
  if (!(await requestJob(store, { name, nowMs: clock.nowMs() }))) return false
  await notices.publish('jobs')
  return true
}
