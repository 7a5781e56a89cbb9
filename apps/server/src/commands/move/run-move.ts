import { auditDatabase } from '@tollgate/ledger/audit-database'
import { copyTotals } from '@tollgate/ledger/copy-totals'
import { systemClock } from '@tollgate/kit/clock'
import { openCipher } from '@tollgate/kit/cipher'
import { markCopy } from '@tollgate/store/operations/installation'
import { insertAudit } from '@tollgate/store/accounts/audit-log'
import { type CopiedTable, copiedTables } from '@tollgate/store/transfer/copied-tables'
import { type CopiedRow, copyTable, countRows } from '@tollgate/store/transfer/copy-table'
import {
  beginImport,
  cancelImport,
  endImport,
  importUnderWay,
  wasImported,
} from '@tollgate/store/transfer/unfinished-import'
import { raiseNextId, readLastId } from '@tollgate/store/database/next-id'
import type { Store } from '@tollgate/store/database/open-store'
import type { Database, Db } from '@tollgate/store/tables/schema'
import { requireSameSecret } from '../../app/same-secret.ts'
import { CommandError } from '../command.ts'
import type { Progress } from '../progress.ts'
import { type TargetPlace, openTargetStore, openTargetToLook } from '../import/target.ts'
import { type OwnPlace, type OwnSource, openOwnSource } from './own-source.ts'

export interface MoveRequest {
  /** A file path or a DSN of a Tollgate database; see `openSource`. */
  readonly from: string
  readonly isDryRun: boolean
  readonly place: TargetPlace
  readonly progress: Progress
}

type LedgerTotals = Awaited<ReturnType<typeof auditDatabase>>

export interface MoveResult {
  /** `known`: the source had been copied before, and nothing was done. */
  readonly type: 'tried' | 'moved' | 'known'
  readonly sourceId: string
  readonly sourceName: string
  readonly counts: ReadonlyMap<keyof Database, number>
  /** Audit of the source. The copy's audit must be the same. */
  readonly totals: LedgerTotals
}

/**
 * Copies another Tollgate database into an empty one, completely. An interrupted copy continues when the
 * command is run again; until it has finished, nothing else can open the target. Rejects with one sentence
 * for the operator when the source is in use, changed or out of balance, or when the target has rows of its
 * own; nothing is changed then.
 */
export async function runMove(request: MoveRequest): Promise<MoveResult> {
  const { from, isDryRun, place } = request
  const source = await openOwnSource(from, { target: place, isDryRun })
  try {
    const totals = await auditPlace(source.place)
    if (totals.findings.length > 0)
      throw new CommandError(
        `The books of ${source.name} do not balance: ${totals.findings.length} findings. See tollgate audit.`,
      )
    const type = isDryRun ? await look(place) : await move(request, source, totals)
    const { id: sourceId, name: sourceName, counts } = source
    return { type, sourceId, sourceName, counts, totals }
  } finally {
    await source.close()
  }
}

function auditPlace({ sqlDsn: dsn, sqlitePath }: OwnPlace): Promise<LedgerTotals> {
  return auditDatabase({ dsn, sqlitePath })
}

async function look(place: TargetPlace): Promise<'tried'> {
  const view = await openTargetToLook(place)
  try {
    await requireEmpty(view.db)
    return 'tried'
  } finally {
    await view.close()
  }
}

async function move({ place, progress }: MoveRequest, source: OwnSource, totals: LedgerTotals) {
  await requireSameSecret(source.db, openCipher(place.cipherKey()))
  const target = await openTargetStore(place, { mayBeHalfImported: true })
  try {
    if (await wasImported(target.db, source.id)) return 'known'
    await begin(target.db, source.id)
    await copyAll(source, target, progress)
    await requireSameRows(source, target.db)
    requireSameBooks(totals, await auditPlace(place))
    await end(target.db, source)
    return 'moved'
  } finally {
    await target.close()
  }
}

/** The import mark is written before the check for rows, so that no gateway can start between the two. */
async function begin(db: Db, sourceId: string): Promise<void> {
  const known = await importUnderWay(db)
  if (known === sourceId) return
  if (known !== undefined)
    throw new CommandError(
      'The target holds a part of another database, or the source was used since then: name an empty one.',
    )
  await beginImport(db, sourceId)
  await requireEmpty(db).catch(async (error: unknown) => {
    await cancelImport(db)
    throw error
  })
}

const TABLES_SHOWN = 3

async function requireEmpty(db: Db): Promise<void> {
  const filled: string[] = []
  for (const { name } of copiedTables) if ((await countRows(db, name)) > 0) filled.push(name)
  if (filled.length === 0) return
  const shown = filled.slice(0, TABLES_SHOWN).join(', ')
  throw new CommandError(
    `The target is not empty (it has rows in ${shown}): name an empty database with SQL_DSN or SQLITE_PATH.`,
  )
}

async function copyAll(source: OwnSource, target: Store, progress: Progress): Promise<void> {
  const onRows = (count: number): void => progress.advance(count)
  for (const table of copiedTables) {
    progress.start(table.name, source.counts.get(table.name) ?? 0)
    await copyTable({ from: source.db, to: target.db, table, change: changeOf(table), onRows })
    progress.end()
  }
  progress.start('totals', await countRows(source.db, 'totals'))
  await copyTotals({ from: source.db, to: target.db, onRows })
  progress.end()
  for (const { name: table, isNumbered } of copiedTables)
    if (isNumbered) {
      const above = await readLastId(source.db, { traits: source.traits, table })
      await raiseNextId(target.db, { traits: target.traits, table, above })
    }
}

/**
 * Nobody uses the source, so an instance that is still `alive` did not shut down properly. It is marked dead,
 * and the next start recovers its holds.
 */
function changeOf({ name }: CopiedTable): ((row: CopiedRow) => CopiedRow) | undefined {
  if (name !== 'instance') return undefined
  return (row) => (row['state'] === 'alive' ? { ...row, state: 'dead' } : row)
}

/** Ignores `watermarks`: the copy itself adds a row there for its progress with the totals. */
async function requireSameRows({ counts }: OwnSource, db: Db): Promise<void> {
  for (const [table, expected] of counts) {
    const found = await countRows(db, table)
    if (found !== expected && table !== 'watermarks')
      throw new CommandError(
        `${table} has ${found} rows in the target and ${expected} in the source: somebody wrote it meanwhile. Begin again with an empty database.`,
      )
  }
}

function requireSameBooks(source: LedgerTotals, target: LedgerTotals): void {
  if (target.findings.length === 0 && textOf(source) === textOf(target)) return
  throw new CommandError(
    `The copy does not balance as the source does (${target.findings.length} findings): do not use it, and begin again with an empty database.`,
  )
}

function textOf(totals: LedgerTotals): string {
  return JSON.stringify(totals, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

async function end(db: Db, { id, name, counts }: OwnSource): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await insertAudit(transaction, {
      actor_id: 0,
      action: 'import',
      entity: 'source',
      entity_id: id,
      before_json: null,
      after_json: JSON.stringify({ from: name, written: Object.fromEntries(counts) }),
      address: '',
      created_ms: systemClock.nowMs(),
    })
    await markCopy(transaction, { cause: 'moved', nowMs: systemClock.nowMs() })
    await endImport(transaction, id)
  })
}
