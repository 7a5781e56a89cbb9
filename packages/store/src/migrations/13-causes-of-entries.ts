import type { Migration } from './migration.ts'

/**
 * Requires that a refund names its task and a correction its request. The checks of the first step tie the
 * unique key to them, but a check that evaluates to null passes: without the name, any key was accepted.
 */
export const causesOfEntries: Migration = {
  number: 13,
  name: 'causes of entries',
  statements: (traits) => [
    `alter table ${traits.quote('entry')} add constraint ${traits.quote('entry_names_its_cause')} check (` +
      "(kind <> 'refund' or task_id is not null) and (kind <> 'correction' or request_id is not null))",
  ],
}
