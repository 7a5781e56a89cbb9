import type { Migration } from './migration.ts'

/**
 * Entries of payments, by the same rule as `isPayment` and `isVouchedFor` in the ledger, and opening balances
 * of imports.
 */
const PAID = `(kind = 'credit' and amount > 0 and (op_key like 'topup:%' or op_key like 'redeem:%'))
  or (kind = 'adjust' and amount > 0 and op_key like 'adjust:%')
  or (kind in ('credit', 'adjust') and flags like 'opening%')`

/**
 * Adds the cost that a user's calls in progress may reach beyond their holds (`exposed`), and whether the
 * user has ever paid (`paid`).
 */
export const overdrafts: Migration = {
  number: 17,
  name: 'overdrafts',
  statements: (traits) => {
    const { types } = traits
    const add = (name: string, type: string, check: string) =>
      `alter table ${traits.quote('account')} add column ${traits.quote(name)} ${type} not null default 0 check (${check})`
    return [
      add('exposed', types.int8, 'exposed >= 0'),
      add('paid', types.int4, 'paid in (0, 1)'),
      `update account set exposed = coalesce(
         (select sum(ceiling - amount) from hold where hold.user_acct = account.id), 0) where open_holds > 0`,
      `update account set paid = 1 where kind = 'user' and id in (select user_acct from entry where ${PAID})`,
    ]
  },
}
