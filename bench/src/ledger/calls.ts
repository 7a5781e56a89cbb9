import { requestId } from '@tollgate/kit/ids'
import type { Ledger } from '@tollgate/ledger/ledger'
import { accountId } from '@tollgate/ledger/account'
import { sampleCharge, sampleLog, samplePriceJson, sampleUsageJson } from '@tollgate/testkit/sample-call'

const ESTIMATE = 900n
const CEILING = 4_000n
const PLENTY = 10n ** 15n

/** Creates users 1 to `users`, each with ample quota and one unlimited token of the same number. */
export async function fillAccounts(ledger: Ledger, users: number): Promise<void> {
  for (let owner = 1; owner <= users; owner++) {
    await ledger.credit({ key: `gift:new:${owner}`, account: accountId('user', owner), amount: PLENTY })
    await ledger.adjust({
      key: `bench-${owner}`,
      account: accountId('token', owner),
      delta: 0n,
      unlimited: true,
    })
  }
}

/** Reserves quota for one call of this user through the token; returns the id of the hold. */
export async function reserveCall(ledger: Ledger, owner: number): Promise<string> {
  const holdId = requestId(Date.now())
  const reserved = await ledger.reserve({
    holdId,
    userAccount: accountId('user', owner),
    tokenAccount: accountId('token', owner),
    amount: ESTIMATE,
    ceiling: CEILING,
    priceJson: samplePriceJson,
  })
  if (reserved.type !== 'reserved') throw new Error(`the call was ${reserved.type}`)
  return holdId
}

/** Settles the call with an entry and a log row of ordinary size. */
export async function settleCall(ledger: Ledger, holdId: string): Promise<void> {
  await ledger.settle({
    holdId,
    amount: sampleCharge,
    flags: [],
    channelId: 3,
    usageJson: sampleUsageJson,
    log: sampleLog(holdId),
  })
}
