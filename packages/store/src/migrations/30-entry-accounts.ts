import type { Migration } from './migration.ts'

/**
 * PostgreSQL checked for each entry that its accounts exist, with a query for each of the two, while the transaction
 * that writes the entry has locked and written those accounts. The audit reports an entry without its account.
 */
export const entryAccounts: Migration = {
  number: 30,
  name: 'accounts of entries',
  statements: ({ engine }) =>
    engine === 'postgres'
      ? ['user_acct', 'token_acct'].map(
          (column) => `alter table entry drop constraint if exists entry_${column}_fkey`,
        )
      : [],
}
