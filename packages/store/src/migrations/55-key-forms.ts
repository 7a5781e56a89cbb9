import type { Migration } from './migration.ts'

/** Adds what the hash of a token's key was made of: 0 the key without `sk-`, 1 the whole text. */
export const keyForms: Migration = {
  number: 55,
  name: 'key forms',
  statements: (traits) => [
    `alter table ${traits.quote('tokens')} add column ${traits.quote('key_form')} ${traits.types.int4} not null default 0`,
  ],
}
