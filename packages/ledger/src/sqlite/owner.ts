import type { Clock } from '@tollgate/kit/clock'
import type { EmbeddedStore } from '@tollgate/store/sqlite/open-sqlite-store'

export interface OwnerOptions {
  readonly store: EmbeddedStore
  readonly clock: Clock
  readonly instanceId: string
}

/** Ledger duties of the process that owns the SQLite file while other processes (guests) write through it. */
export interface LedgerOwner {
  /**
   * Ends the holds of a guest that has died. Call it only when no more of its messages can arrive. Resolves
   * to the number of holds.
   */
  recoverDead(instanceId: string): Promise<number>
  close(): Promise<void>
}

/** Resolves once every hold that earlier processes left open was recovered; guests may start after that. */
export async function openLedgerOwner({ store, clock, instanceId }: OwnerOptions): Promise<LedgerOwner> {
  const { remote } = store
  const circumstances = (): [number, string] => [clock.nowMs(), instanceId]
  await remote.load(new URL('./remote.ts', import.meta.url))
  await remote.call('ledger.start', JSON.stringify(circumstances()))
  await remote.call('ledger.recover', JSON.stringify(circumstances()))
  return {
    recoverDead: async (dead) =>
      Number(await remote.call('ledger.bury', JSON.stringify([...circumstances(), dead]))),
    close: async () => {
      await remote.call('ledger.end', JSON.stringify(circumstances()))
    },
  }
}
