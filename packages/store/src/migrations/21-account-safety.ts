import type { Migration } from './migration.ts'
import { type TableShape, createTable } from './table.ts'

const tables: readonly TableShape[] = [
  {
    name: 'email_undos',
    columns: {
      id: 'id',
      token_hash: 'key unique',
      user_id: 'int8',
      email: 'key',
      created_ms: 'int8',
      expires_ms: 'int8',
    },
    indexes: [{ columns: ['user_id'] }, { columns: ['expires_ms'] }],
  },
  {
    name: 'account_notices',
    columns: {
      id: 'id',
      cause: 'key unique',
      user_id: 'int8',
      event: 'key',
      detail: 'text',
      created_ms: 'int8',
    },
    indexes: [{ columns: ['user_id', 'id'] }],
  },
]

/**
 * Adds how a session was verified, links that restore a changed e-mail address, and account notices in the
 * console.
 */
export const accountSafety: Migration = {
  number: 21,
  name: 'account safety',
  statements: (traits) => [
    `alter table ${traits.quote('sessions')} add column ${traits.quote('proven_by')} ${traits.types.key} not null default ''`,
    ...tables.flatMap((shape) => createTable(traits, shape)),
  ],
}
