import { setTimeout as sleep } from 'node:timers/promises'
import { requestId } from '@tollgate/kit/ids'
import type { Ledger } from '@tollgate/ledger/ledger'
import { accountId } from '@tollgate/ledger/account'
import { sampleCharge, sampleLog, samplePriceJson, sampleUsageJson } from '@tollgate/testkit/sample-call'

const ESTIMATE = 900n
const CEILING = 4_000n
const PLENTY = 10n ** 15n
const PAUSE_MS = 20

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

/**
 * Reserves quota for one call of this user through the token; returns the id of the hold. A patient call waits while the
 * ledger admits none because it has much to fold.
 */
export async function reserveCall(
  ledger: Ledger,
  owner: number,
  { isPatient = false } = {},
): Promise<string> {
  const holdId = requestId(Date.now())
  const input = {
    holdId,
    userAccount: accountId('user', owner),
    tokenAccount: accountId('token', owner),
    amount: ESTIMATE,
    ceiling: CEILING,
    priceJson: samplePriceJson,
  }
  for (;;) {
    const { type } = await ledger.reserve(input)
    if (type === 'reserved') return holdId
    if (!(isPatient && type === 'unavailable')) throw new Error(`the call was ${type}`)
    await sleep(PAUSE_MS)
  }
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
