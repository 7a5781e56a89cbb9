import type { Migration } from './migration.ts'

/** Adds the vendor's own id of each call's last request. */
export const upstreamRequestIds: Migration = {
  number: 76,
  name: 'upstream request ids',
  statements: (traits) => {
    // MySQL cannot leave the rows without one out of an index.
    const named = traits.engine === 'mysql' ? '' : ' where upstream_request_id is not null'
    return [
      `alter table ${traits.quote('logs')} add column ${traits.quote('upstream_request_id')} ${traits.types.key} null`,
      `create index logs_upstream_request_id on ${traits.quote('logs')} (upstream_request_id)${named}`,
    ]
  },
}
