import type { Clock } from '@tollgate/kit/clock'
import type { EmbeddedStore } from '@tollgate/store/sqlite/open-sqlite-store'
import type { Alarm, CommandContext } from '../core/command.ts'
import { type AdoptionParts, adoptAtStart, adoptJournals } from '../local/adopt-journals.ts'
import { databaseIdOf } from '../local/database-id.ts'
import { openSqliteStorage } from './storage.ts'

export interface OwnerOptions {
  readonly store: EmbeddedStore
  readonly clock: Clock
  readonly instanceId: string
  /** Folder of journals, which an earlier process that was alone with the file may have left. */
  readonly journalFolder?: string
  readonly onAlarm?: (alarm: Alarm) => void
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
export async function openLedgerOwner(options: OwnerOptions): Promise<LedgerOwner> {
  const { store, clock, instanceId, journalFolder: folder, onAlarm = () => undefined } = options
  const now = (): CommandContext => ({ nowMs: clock.nowMs(), instanceId })
  const storage = await openSqliteStorage(store)
  await storage.start(now())
  const databaseId = await databaseIdOf(store.db)
  const adoption: AdoptionParts | undefined =
    folder === undefined ? undefined : { storage, folder, databaseId, now, onAlarm }
  if (adoption) await adoptAtStart(adoption)
  await storage.recover(now())
  return {
    recoverDead: async (dead) => {
      const isOver = (id: string): boolean => id === dead
      const recovered = adoption ? await adoptJournals(adoption, { isOver, isLate: false }) : 0
      const open = await store.remote.call('ledger.bury', JSON.stringify([clock.nowMs(), instanceId, dead]))
      return recovered + Number(open)
    },
    close: async () => {
      await storage.end(now())
    },
  }
}
