import type { Migration } from './migration.ts'

/** Limits of a token beside its quota, and the account columns needed to enforce its budget. */
export const tokenLimits: Migration = {
  number: 14,
  name: 'token limits',
  statements: (traits) => {
    const { types } = traits
    const column = (table: string, name: string, type: string) =>
      `alter table ${traits.quote(table)} add column ${traits.quote(name)} ${type}`
    const zero = `${types.int8} not null default 0`
    const empty = `${types.key} not null default ''`
    return [
      column('tokens', 'rpm_limit', zero),
      column('tokens', 'tpm_limit', zero),
      column('tokens', 'max_parallel_requests', zero),
      column('tokens', 'budget_quota', zero),
      column('tokens', 'budget_period', empty),
      column('tokens', 'group_order', empty),
      column('tokens', 'cross_group_retry', `${types.int4} not null default 0`),
      column('account', 'open_holds', zero),
      column('account', 'budget_since_ms', zero),
      column('account', 'budget_base', zero),
      'update account set open_holds = (select count(*) from hold ' +
        'where hold.user_acct = account.id or hold.token_acct = account.id)',
    ]
  },
}
