import type { Migration } from './migration.ts'

/** Who signed in with the password that old releases of the family were delivered with. */
export const defaultPasswords: Migration = {
  number: 10,
  name: 'default passwords',
  statements: (traits) => [
    `alter table ${traits.quote('users')} add column ${traits.quote('has_default_password')} ${traits.types.int4} not null default 0`,
  ],
}
