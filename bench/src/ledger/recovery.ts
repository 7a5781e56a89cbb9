import { systemClock } from '@tollgate/kit/clock'
import { openLedger } from '@tollgate/ledger/open-ledger'
import { fillAccounts, reserveCall } from './calls.ts'
import type { FreshDatabase } from './stores.ts'

export interface Recovery {
  readonly holds: number
  readonly ms: number
}

const USERS = 50
const AT_ONCE = 200
const CHECKPOINT = 300n

/**
 * A process disappears and leaves holds open. Measures how long the next process takes to recover them at
 * start.
 */
export async function measureRecovery(database: FreshDatabase, holds: number): Promise<Recovery> {
  await abandon(database, holds)
  const watcher = await database.open()
  await database.silence(watcher)
  await watcher.close()
  const store = await database.open()
  const startMs = performance.now()
  const ledger = await openLedger({ store, clock: systemClock })
  const ms = performance.now() - startMs
  const { recovered } = ledger.health()
  if (recovered !== holds) throw new Error(`${recovered} holds of ${holds} were recovered`)
  await ledger.close()
  await store.close()
  return { holds, ms }
}

async function abandon(database: FreshDatabase, holds: number): Promise<void> {
  const store = await database.open()
  const ledger = await openLedger({ store, clock: systemClock })
  await fillAccounts(ledger, USERS)
  for (let first = 0; first < holds; first += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, holds - first) }, async (_, index) => {
        const holdId = await reserveCall(ledger, 1 + (index % USERS))
        await ledger.checkpoint({ holdId, amount: CHECKPOINT })
      }),
    )
  await store.close()
}
