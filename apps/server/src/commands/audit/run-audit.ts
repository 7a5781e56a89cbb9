import { auditDatabase } from '@tollgate/ledger/audit-database'
import type { AccountKind, AuditReport } from '@tollgate/ledger/ledger'
import { type StoreView, openView } from '@tollgate/store/open-view'
import type { Place } from '../../config.ts'
import { durabilityFaults } from './durability.ts'

export interface AuditResult {
  readonly name: string
  readonly report: AuditReport
  readonly totals: ReadonlyMap<AccountKind, Totals>
  /** What speaks against I7: settings and damage that would let an acknowledged write be lost. */
  readonly durability: readonly string[]
}

export const PARTS = ['granted', 'remaining', 'reserved', 'used', 'debt'] as const
export type Totals = Record<(typeof PARTS)[number], bigint> & { accounts: number }

/** Proves the rules over all accounts, also while the gateway runs. It changes nothing. */
export async function runAudit(place: Pick<Place, 'sqlDsn' | 'sqlitePath'>): Promise<AuditResult> {
  const view = await openView({ dsn: place.sqlDsn, sqlitePath: place.sqlitePath })
  try {
    const startMs = performance.now()
    const report = await auditDatabase({ dsn: place.sqlDsn, sqlitePath: place.sqlitePath })
    return {
      name: view.name,
      report: { ...report, durationMs: performance.now() - startMs },
      totals: await totalsByKind(view),
      durability: await durabilityFaults(view),
    }
  } finally {
    await view.close()
  }
}

const PAGE_ROWS = 5_000

/** Added here and not by the engine, whose sums may be shorter than the truth. */
async function totalsByKind({ db }: StoreView): Promise<ReadonlyMap<AccountKind, Totals>> {
  const totals = new Map<AccountKind, Totals>()
  for (let after = -1; ;) {
    const rows = await db
      .selectFrom('account')
      .select(['id', 'kind', ...PARTS])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute()
    for (const row of rows) {
      const known = totals.get(row.kind) ?? { accounts: 0, ...NOTHING }
      for (const part of PARTS) known[part] += row[part]
      known.accounts++
      totals.set(row.kind, known)
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return totals
    after = last.id
  }
}

const NOTHING = { granted: 0n, remaining: 0n, reserved: 0n, used: 0n, debt: 0n }
