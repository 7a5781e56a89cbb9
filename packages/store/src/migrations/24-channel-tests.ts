import type { Migration } from './migration.ts'

/** Adds the outcome of a channel's last test. Its time and duration were stored before. */
export const channelTests: Migration = {
  number: 24,
  name: 'channel tests',
  statements: (traits) => {
    const { types } = traits
    const column = (name: string, type: string) =>
      `alter table ${traits.quote('channels')} add column ${traits.quote(name)} ${type}`
    const empty = `${types.key} not null default ''`
    return [
      column('test_outcome', empty),
      column('test_status', `${types.int4} not null default 0`),
      column('test_message', empty),
      column('tested_model', empty),
    ]
  },
}
