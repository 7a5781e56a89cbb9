import { jobRoutes } from '@tollgate/contract/job'
import { type BoundRoute, bind } from '../handler.ts'
import { listJobs } from './list.ts'
import { runJob } from './run.ts'
import type { JobServices } from './services.ts'

export function jobHandlers(services: JobServices): readonly BoundRoute[] {
  return [bind(jobRoutes.list, listJobs(services)), bind(jobRoutes.run, runJob(services))]
}
