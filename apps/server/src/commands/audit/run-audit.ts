import { auditDatabase } from '@tollgate/ledger/audit-database'
import type { AccountKind } from '@tollgate/ledger/account'
import type { AuditReport } from '@tollgate/ledger/audit-report'
import { type StoreView, openView } from '@tollgate/store/database/open-view'
import type { Place } from '../../config/index.ts'
import { durabilityFaults } from './durability.ts'

export interface AuditResult {
  readonly name: string
  readonly report: AuditReport
  readonly totals: ReadonlyMap<AccountKind, Totals>
  /** Violations of I7: settings and damage that could lose an acknowledged write. */
  readonly durability: readonly string[]
}

export const PARTS = ['granted', 'remaining', 'reserved', 'used', 'debt'] as const
export type Totals = Record<(typeof PARTS)[number], bigint> & { accounts: number }

/** Checks the invariants over all accounts. It changes nothing and may run beside a live gateway. */
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

/** Summed here instead of in SQL, because the engine's sums may overflow or lose digits. */
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
