import { accountId } from '@tollgate/ledger/account'
import { findSetupRoot } from '@tollgate/store/accounts/setup'
import type { Services } from '../services.ts'

const ROOT_QUOTA = 100_000_000n

/**
 * Credits the super admin's initial quota. Its ledger key makes it happen once. It is also called at start,
 * in case a process died between the setup and the credit.
 */
export async function creditSetupRoot({ store, ledger }: Pick<Services, 'store' | 'ledger'>): Promise<void> {
  const rootId = await findSetupRoot(store)
  if (rootId === undefined) return
  await ledger.credit({
    key: 'setup:root',
    account: accountId('user', rootId),
    amount: ROOT_QUOTA,
    note: 'setup',
  })
}
