import type { JobNotes } from '../../jobs/job-notes.ts'
import type { Services } from '../services.ts'

export interface JobServices extends Services {
  readonly jobNotes: Pick<JobNotes, 'jobs'>
}
