import type { Migration } from './migration.ts'
import { type TableShape, createTable } from './table.ts'

const tables: readonly TableShape[] = [
  {
    name: 'identities',
    columns: {
      identity_hash: 'key primary key',
      provider: 'key',
      issuer: 'text',
      subject: 'text',
      user_id: 'int8',
      created_ms: 'int8',
    },
    indexes: [{ columns: ['user_id', 'provider'], isUnique: true }],
  },
  {
    name: 'oauth_states',
    columns: {
      state_hash: 'key primary key',
      browser_hash: 'key',
      provider: 'key',
      user_id: 'int8',
      verifier_sealed: 'text',
      nonce: 'text',
      aff_code: 'key',
      expires_ms: 'int8',
    },
    indexes: [{ columns: ['expires_ms'] }],
  },
  {
    name: 'spent_marks',
    columns: { mark_hash: 'key primary key', expires_ms: 'int8' },
    indexes: [{ columns: ['expires_ms'] }],
  },
]

/** Sign-in through external providers. */
export const identityTables: Migration = {
  number: 6,
  name: 'doors',
  statements: (traits) => tables.flatMap((shape) => createTable(traits, shape)),
}
