import type { Clock } from '@tollgate/kit/clock'
import type { EmbeddedStore } from '@tollgate/store/sqlite/open-sqlite-store'

export interface OwnerOptions {
  readonly store: EmbeddedStore
  readonly clock: Clock
  readonly instanceId: string
}

/** What the process that owns the file does when others do the ledger's work through it. */
export interface LedgerOwner {
  /** Ends the holds of a guest that has died, once nothing of it can arrive any more. Resolves to how many it had. */
  bury(instanceId: string): Promise<number>
  close(): Promise<void>
}

/** Resolves once every hold that earlier processes left open has been recovered: guests may begin then. */
export async function openLedgerOwner({ store, clock, instanceId }: OwnerOptions): Promise<LedgerOwner> {
  const { remote } = store
  const circumstances = (): [number, string] => [clock.nowMs(), instanceId]
  await remote.load(new URL('./remote.ts', import.meta.url))
  await remote.call('ledger.start', JSON.stringify(circumstances()))
  return {
    bury: async (dead) =>
      Number(await remote.call('ledger.bury', JSON.stringify([...circumstances(), dead]))),
    close: async () => {
      await remote.call('ledger.end', JSON.stringify(circumstances()))
    },
  }
}
