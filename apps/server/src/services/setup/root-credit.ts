import { accountId } from '@tollgate/ledger/ledger'
import { findSetupRoot } from '@tollgate/store/setup'
import type { Services } from '../services.ts'

const ROOT_QUOTA = 100_000_000n

/**
 * What the super admin starts with. Its key makes it happen once: also called at start, for a process that died between
 * the setup and the credit.
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
