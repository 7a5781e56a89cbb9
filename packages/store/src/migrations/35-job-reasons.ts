import type { Migration } from './migration.ts'

/** Adds why the last run of a job failed, in words for operators. */
export const jobReasons: Migration = {
  number: 35,
  name: 'job reasons',
  statements: (traits) => [
    `alter table ${traits.quote('job_runs')} add column ${traits.quote('reason')} ${traits.types.text}`,
  ],
}
