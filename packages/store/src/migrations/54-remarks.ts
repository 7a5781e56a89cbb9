import type { Migration } from './migration.ts'

/** Adds the operators' remarks on users and channels. */
export const remarks: Migration = {
  number: 54,
  name: 'remarks',
  statements: (traits) =>
    ['users', 'channels'].map(
      (table) =>
        `alter table ${traits.quote(table)} add column ${traits.quote('remark')} ${traits.types.key} not null default ''`,
    ),
}
