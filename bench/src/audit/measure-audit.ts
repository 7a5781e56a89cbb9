import { systemClock } from '@tollgate/kit/clock'
import type { Ledger } from '@tollgate/ledger/ledger'
import { openLedger } from '@tollgate/ledger/open-ledger'
import { sql } from 'kysely'
import { type LoadFigures, pace } from '../ledger/load.ts'
import type { MeasuredStore } from '../ledger/stores.ts'
import { type LedgerSize, fillLedger } from './fill-ledger.ts'

export interface AuditFigures {
  readonly fillMs: number
  /** Duration of an audit while calls are running. */
  readonly auditMs: number
  readonly findings: number
  /** Holds and settlements before and during the audit. */
  readonly before: LoadFigures
  readonly during: LoadFigures
}

const CALLS_PER_SECOND = 200
const SECONDS = 8

/** Fills a fresh database and audits it while calls go on as in a live gateway. */
export async function measureAudit(store: MeasuredStore, size: LedgerSize): Promise<AuditFigures> {
  const database = await store.create()
  const opened = await database.open()
  try {
    const fillMs = (await timed(() => fillLedger(opened.db, size))).ms
    // Otherwise PostgreSQL would write the filled data to disk during the measurement and slow the calls
    // down.
    if (store.name === 'PostgreSQL') await sql`checkpoint`.execute(opened.db)
    const ledger = await openLedger({ store: opened, clock: systemClock })
    const before = await load(ledger)
    const ending = new AbortController()
    const audited = timed(() => ledger.audit()).finally(() => ending.abort())
    const during = await load(ledger, ending.signal)
    const { ms: auditMs, answer } = await audited
    await ledger.close()
    return { fillMs, auditMs, findings: answer.findings.length, before, during }
  } finally {
    await opened.close()
    await database.drop()
  }
}

/** Runs only as long as a measurement needs. */
function load(ledger: Ledger, signal?: AbortSignal): Promise<LoadFigures> {
  const calls = { ledgers: [ledger], users: 50, seconds: SECONDS, perSecond: CALLS_PER_SECOND }
  return pace({ ...calls, ...(signal && { signal }) })
}

async function timed<Answer>(work: () => Promise<Answer>): Promise<{ ms: number; answer: Answer }> {
  const start = performance.now()
  const answer = await work()
  return { ms: performance.now() - start, answer }
}
