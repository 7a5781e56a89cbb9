import type { Claims } from '@tollgate/importer/claims'
import { type MappedToken, mapToken } from '@tollgate/importer/map-token'
import type { SourceRow } from '@tollgate/importer/source'
import { sha256Hex } from '@tollgate/kit/ids'
import { insertImported } from '@tollgate/store/transfer/imported-rows'
import { raiseNextId } from '@tollgate/store/database/next-id'
import { readWatermark, writeWatermark } from '@tollgate/store/operations/watermarks'
import { storeKey } from '../../services/token/key.ts'
import { importOpenings } from './openings.ts'
import { BATCH_ROWS, type ImportContext, doneMark } from './import-context.ts'

const TABLE = 'tokens'

/**
 * Imports tokens with their ids, their keys (hashed, encrypted, with a preview) and their quotas as opened
 * accounts.
 */
export async function importTokens(context: ImportContext, claims: Claims): Promise<void> {
  const { source, db, report, progress, nowMs } = context
  const done = await readWatermark(db, doneMark(context, TABLE))
  const tally = report.tally(TABLE)
  const keys = new Set<string>()
  progress.start(TABLE, await source.count(TABLE))
  for await (const rows of source.pages(TABLE, { rowsMax: BATCH_ROWS })) {
    const tokens = await usable(
      context,
      { claims, keys },
      rows.map((row) => ({ row, token: mapToken(row, { nowMs }) })),
    )
    const fresh = tokens.filter(({ row }) => row.id > done)
    report.note(...tokens.flatMap(({ notes }) => notes))
    for (const { row } of tokens) if (row.group_name !== '') report.groups.add(row.group_name)
    await refuseForeign(context, fresh)
    await importOpenings(context, tokens.map(openingOf))
    await write(context, fresh)
    tally.read += rows.length
    tally.skipped += rows.length - tokens.length
    tally.written += fresh.length
    tally.known += tokens.length - fresh.length
    progress.advance(rows.length)
  }
  progress.end()
  if (context.writing) await raiseNextId(db, { traits: context.writing.traits, table: TABLE })
}

interface Known {
  readonly claims: Claims
  /** Keys of the tokens handled before. */
  readonly keys: Set<string>
}

interface Candidate {
  readonly row: SourceRow
  readonly token: MappedToken
}

/** Leaves out tokens that nobody can use; they are reported and written to the side file. */
async function usable(
  { report, writing }: ImportContext,
  known: Known,
  candidates: readonly Candidate[],
): Promise<readonly MappedToken[]> {
  const kept: MappedToken[] = []
  for (const { row, token } of candidates) {
    const code = unusable(token, known)
    if (code === undefined) {
      kept.push(token)
      known.keys.add(token.key)
    } else {
      report.note({ table: TABLE, id: token.row.id, code, detail: token.row.name })
      await writing?.sideFile.add(TABLE, row, code)
    }
  }
  return kept
}

function unusable({ row, key }: MappedToken, { claims, keys }: Known) {
  if (key === '') return 'token-without-key'
  if (!claims.userIds.has(row.user_id)) return 'token-without-owner'
  return keys.has(key) ? 'token-key-repeated' : undefined
}

function openingOf({ row, figures }: MappedToken) {
  const isUnlimited = row.unlimited_quota === 1
  return { table: TABLE, kind: 'token', ownerId: row.id, figures, isUnlimited } as const
}

async function write(
  { db, writing, ...context }: ImportContext,
  fresh: readonly MappedToken[],
): Promise<void> {
  const last = fresh.at(-1)
  if (!writing || !last) return
  const { cipher } = writing
  // Same as when an owner removes a token: only the hash of a deleted token is kept.
  const rows = fresh.map(({ row, key }) => {
    const stored = storeKey(key, cipher)
    return { ...row, ...stored, ...(row.deleted_ms !== null && { key_sealed: '' }) }
  })
  await db.transaction().execute(async (transaction) => {
    await insertImported(transaction, 'tokens', rows)
    await writeWatermark(transaction, { name: doneMark(context, TABLE), position: last.row.id })
  })
}

async function refuseForeign({ db, report }: ImportContext, fresh: readonly MappedToken[]): Promise<void> {
  if (fresh.length === 0) return
  const found = await db
    .selectFrom('tokens')
    .select(['id', 'name'])
    .where((where) =>
      where.or([
        where(
          'id',
          'in',
          fresh.map(({ row }) => row.id),
        ),
        where(
          'key_hash',
          'in',
          fresh.map(({ key }) => sha256Hex(key)),
        ),
      ]),
    )
    .execute()
  for (const { id, name } of found) report.obstacles.push(`token ${id} (${name}) is here already`)
}
