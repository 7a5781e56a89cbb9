import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '@tollgate/kit/clock'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { type TestDatabase, type TestServer } from '@tollgate/testkit/databases'
import type { AccountId } from '../../src/account.ts'
import type { Alarm } from '../../src/core/command.ts'
import type { Ledger } from '../../src/ledger.ts'
import { openLedger } from '../../src/open-ledger.ts'
import type { Recalls } from '../../src/recalls.ts'

/** Several nodes over one database server, each with a journal, which tell each other to return quota. */
export interface SharedLedgers {
  readonly database: TestDatabase
  readonly folder: string
  enter(name: string, options?: NodeOptions): Promise<SharedNode>
  /** Notices get lost from now on, or no longer. */
  loseNotices(isLost: boolean): void
  close(): Promise<void>
}

export interface SharedNode {
  readonly name: string
  readonly store: Store
  readonly ledger: Ledger
  readonly alarms: readonly Alarm[]
  /** Folds its journal and returns its allotments. */
  readonly leave: () => Promise<void>
}

export interface NodeOptions {
  readonly clock?: Clock
  readonly dsn?: string
  /** Its journal is on another machine: no other node reads it. */
  readonly isApart?: boolean
}

/** A notice takes this long, as over Redis. */
const NOTICE_MS = 5
/** Long, so that a slow machine does not make a test fail. */
const PATIENCE_MS = 1_500

export async function openSharedLedgers(server: TestServer): Promise<SharedLedgers> {
  const database = await server.createMigrated()
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-shared-'))
  const nodes: SharedNode[] = []
  const listeners = new Map<string, (account: AccountId | undefined) => void>()
  let isLost = false
  const recallsOf = (name: string): Recalls => ({
    publish: (account) => {
      if (isLost) return
      for (const [other, listener] of listeners)
        if (other !== name) setTimeout(() => listener(account), NOTICE_MS).unref()
    },
    subscribe: (listener) => {
      listeners.set(name, listener)
      return () => void listeners.delete(name)
    },
    patienceMs: () => PATIENCE_MS,
  })
  return {
    database,
    folder,
    loseNotices: (are) => {
      isLost = are
    },
    enter: async (name, { clock = systemClock, dsn = database.dsn, isApart = false } = {}) => {
      const alarms: Alarm[] = []
      const store = await openStore({ dsn })
      const ledger = await openLedger({
        store,
        clock,
        instanceId: name,
        onAlarm: (alarm) => alarms.push(alarm),
        journal: { folder: isApart ? join(folder, name) : folder },
        recalls: recallsOf(name),
      })
      let left: Promise<void> | undefined
      const leave = () => (left ??= ledger.close().then(() => undefined))
      const node = { name, store, ledger, alarms, leave }
      nodes.push(node)
      return node
    },
    close: async () => {
      for (const { leave } of nodes) await leave()
      for (const { store } of nodes) await store.close()
      await database.drop()
      rmSync(folder, { recursive: true })
    },
  }
}
