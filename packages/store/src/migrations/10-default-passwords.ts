import type { Migration } from './migration.ts'

/** Adds a flag for users who signed in with the default password of old releases of new-api and its forks. */
export const defaultPasswords: Migration = {
  number: 10,
  name: 'default passwords',
  statements: (traits) => [
    `alter table ${traits.quote('users')} add column ${traits.quote('has_default_password')} ${traits.types.int4} not null default 0`,
  ],
}
