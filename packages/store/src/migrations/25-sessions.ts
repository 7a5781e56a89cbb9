import type { Migration } from './migration.ts'

const SUMMED = [
  'usage_cells',
  'usage_routes',
  'usage_owners',
  'usage_owner_groups',
  'usage_route_days',
  'usage_owner_days',
  'usage_owner_model_days',
  'usage_owner_group_days',
  'usage_owner_channel_days',
]

/** Adds the session and the client of each call, and what the upstream's cache of prompts did for it. */
export const sessions: Migration = {
  number: 25,
  name: 'sessions of calls',
  statements: (traits) => {
    const { key, int8 } = traits.types
    const column = (table: string, name: string, type: string) =>
      `alter table ${traits.quote(table)} add column ${traits.quote(name)} ${type}`
    // Most rows of a site without agents have no session; MySQL cannot leave them out of an index.
    const named = traits.engine === 'mysql' ? '' : ' where session is not null'
    return [
      column('logs', 'session', `${key} null`),
      column('logs', 'client', `${key} null`),
      column('logs', 'client_version', `${key} null`),
      column('logs', 'cached_tokens', `${int8} null`),
      column('logs', 'cache_saved', `${int8} null`),
      `create index logs_session on ${traits.quote('logs')} (session, id)${named}`,
      ...SUMMED.flatMap((table) => [
        column(table, 'cached_tokens', `${int8} not null default 0`),
        column(table, 'cache_saved', `${int8} not null default 0`),
      ]),
    ]
  },
}
