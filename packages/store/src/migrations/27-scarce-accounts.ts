import type { Migration } from './migration.ts'

/**
 * Until when processes may not keep free quota of an account, because a call was refused while they had some,
 * and until when a process knows that.
 */
export const scarceAccounts: Migration = {
  number: 27,
  name: 'scarce accounts',
  statements: (traits) => {
    const column = (table: string, name: string) =>
      `alter table ${traits.quote(table)} add column ${traits.quote(name)} ${traits.types.int8} not null default 0`
    return [column('account', 'scarce_until_ms'), column('allotment', 'exact_until_ms')]
  },
}
