import type { JobRunLog } from '../../jobs/job-run-log.ts'
import type { Services } from '../services.ts'

export interface JobServices extends Services {
  readonly jobNotes: Pick<JobRunLog, 'jobs'>
}
