import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@tollgate/kit/clock'
import type { Ledger } from '@tollgate/ledger/ledger'
import { openLedger } from '@tollgate/ledger/open-ledger'
import type { Db } from '@tollgate/store/tables/schema'
import { fillAccounts } from './calls.ts'
import { type LoadFigures, pace, saturate } from './load.ts'
import { type Recovery, measureRecovery } from './recovery.ts'
import type { FreshDatabase, MeasuredStore } from './stores.ts'

export interface StoreFigures {
  readonly manyUsers: LoadFigures
  readonly hotUser: LoadFigures
  /** 500 calls a second. */
  readonly paced: LoadFigures
  /** Two ledgers over one database, like two processes; only for stores that several processes may write. */
  readonly twoNodes: LoadFigures | undefined
  readonly recovery: Recovery
  /** Transactions retried during all measurements. */
  readonly retried: number
  readonly deadlocks: number
  /** Number of findings of the audit after all measurements. */
  readonly findings: number
}

export interface Extent {
  readonly seconds: number
  readonly holds: number
}

const USERS = 50
const CALLS_PER_SECOND = 500
const POLL_MS = 100

/** Runs all measurements over one fresh database and audits it. */
export async function measureStore(store: MeasuredStore, { seconds, holds }: Extent): Promise<StoreFigures> {
  const database = await store.create()
  const load = await measureLoad(database, { seconds, isShared: store.isShared })
  const recovery = await measureRecovery(database, holds)
  await database.drop()
  return { ...load, recovery }
}

/**
 * Calls a second for which entry, log row and accounts are in the database, the last ones included. The calls are admitted
 * in memory and written to a journal, as in the gateway, as fast as it is folded.
 */
export async function measureFolded(store: MeasuredStore, seconds: number): Promise<number> {
  const database = await store.create()
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-journal-'))
  const node = await openNode(database, folder)
  const { ledger } = node
  try {
    await fillAccounts(ledger, USERS)
    const load = { ledgers: [ledger], users: USERS, isPatient: true }
    const warm = await saturate({ ...load, seconds: 1 })
    const startMs = performance.now()
    const { pairs } = await saturate({ ...load, seconds })
    while ((await countConsumed(node.store.db)) < warm.pairs + pairs) await sleep(POLL_MS)
    return (pairs * 1000) / (performance.now() - startMs)
  } finally {
    await node.close()
    await database.drop()
    rmSync(folder, { recursive: true })
  }
}

/** Settled calls among the entries. */
async function countConsumed(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('entry')
    .select(({ fn }) => fn.countAll<number | string | bigint>().as('count'))
    .where('kind', '=', 'consume')
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function measureLoad(
  database: FreshDatabase,
  { seconds, isShared }: { seconds: number; isShared: boolean },
): Promise<Omit<StoreFigures, 'recovery'>> {
  const nodes = await Promise.all((isShared ? [1, 2] : [1]).map(() => openNode(database)))
  const [first] = nodes
  if (!first) throw new Error('there is no node')
  const ledgers = nodes.map(({ ledger }) => ledger)
  const deadlocksBefore = await database.deadlocks(first.store)
  await fillAccounts(first.ledger, USERS)
  const one = { ledgers: [first.ledger], users: USERS, seconds }
  await saturate({ ...one, seconds: 1 })
  const manyUsers = await saturate(one)
  const hotUser = await saturate({ ...one, users: 1 })
  const paced = await pace({ ...one, perSecond: CALLS_PER_SECOND })
  const twoNodes = isShared ? await saturate({ ...one, ledgers }) : undefined
  const deadlocks = (await database.deadlocks(first.store)) - deadlocksBefore
  const retried = ledgers.reduce((sum, ledger) => sum + (ledger.health().retried ?? 0), 0)
  await first.ledger.rollUp()
  const { findings } = await first.ledger.audit()
  for (const node of nodes) await node.close()
  return { manyUsers, hotUser, paced, twoNodes, retried, deadlocks, findings: findings.length }
}

interface Node {
  readonly store: Awaited<ReturnType<FreshDatabase['open']>>
  readonly ledger: Ledger
  close(): Promise<void>
}

/** Without a folder for its journal, each reservation and each settlement is a command of the database. */
async function openNode(database: FreshDatabase, folder?: string): Promise<Node> {
  const store = await database.open()
  const journal = folder === undefined ? undefined : { folder }
  const ledger = await openLedger({ store, clock: systemClock, ...(journal && { journal }) })
  return {
    store,
    ledger,
    close: async () => {
      await ledger.close()
      await store.close()
    },
  }
}
