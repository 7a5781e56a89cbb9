import { type Claims, CLAIMED_FIELDS } from '@tollgate/importer/claims'
import { type MappedUser, mapUser } from '@tollgate/importer/map-user'
import { openUserTotals } from '@tollgate/ledger/opening-totals'
import { insertUsersWithIds } from '@tollgate/store/transfer/imported-rows'
import { raiseNextId } from '@tollgate/store/database/next-id'
import type { Database } from '@tollgate/store/tables/schema'
import { readWatermark, writeWatermark } from '@tollgate/store/operations/watermarks'
import type { Kysely } from 'kysely'
import { type Opening, importOpenings } from './openings.ts'
import { BATCH_ROWS, type ImportContext, doneMark } from './import-context.ts'

const TABLE = 'users'

/**
 * Imports users with their ids, password hashes and sign-in bindings, their balances, and the rewards they
 * earned.
 */
export async function importUsers(context: ImportContext, claims: Claims): Promise<void> {
  const { source, db, report, progress, nowMs } = context
  const done = await readWatermark(db, doneMark(context, TABLE))
  const tally = report.tally(TABLE)
  progress.start(TABLE, await source.count(TABLE))
  for await (const rows of source.pages(TABLE, { rowsMax: BATCH_ROWS })) {
    const users = rows.map((row) => mapUser(row, { claims, nowMs }))
    const fresh = users.filter(({ row }) => row.id > done)
    report.note(...users.flatMap(({ notes }) => notes))
    for (const { row } of users) report.groups.add(row.group_name)
    await refuseForeign(context, fresh)
    await importOpenings(context, users.flatMap(openingsOf))
    await write(context, fresh)
    tally.read += rows.length
    tally.written += fresh.length
    tally.known += users.length - fresh.length
    progress.advance(rows.length)
  }
  progress.end()
  if (context.writing) await raiseNextId(db, { traits: context.writing.traits, table: TABLE })
}

/** Most users never earned an affiliate reward and need no account for it. */
function openingsOf({ row: { id }, own, affiliate }: MappedUser): readonly Opening[] {
  const account = { table: TABLE, ownerId: id, isUnlimited: false }
  const opening: Opening = { ...account, kind: 'user', figures: own }
  if (affiliate.remaining === 0n && affiliate.used === 0n) return [opening]
  return [opening, { ...account, kind: 'affiliate', figures: affiliate }]
}

/**
 * The accounts are opened before the users are written: if the run is interrupted between the two, the next
 * run finds the accounts and continues.
 */
async function write(
  { db, writing, ...context }: ImportContext,
  fresh: readonly MappedUser[],
): Promise<void> {
  const last = fresh.at(-1)
  if (!writing || !last) return
  await db.transaction().execute(async (transaction) => {
    await insertUsersWithIds(
      transaction,
      fresh.map(({ row }) => row),
    )
    await openUserTotals(
      transaction,
      fresh.map(({ row: { id }, calls }) => ({ id, calls })),
    )
    await writeWatermark(transaction, { name: doneMark(context, TABLE), position: last.row.id })
  })
}

/**
 * Reports, as obstacles, users of this database that did not come from this source but share an id, a name or
 * a sign-in binding with a user of the source.
 */
async function refuseForeign({ db, report }: ImportContext, fresh: readonly MappedUser[]): Promise<void> {
  if (fresh.length === 0 || !(await hasAny(db))) return
  const found = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where((where) =>
      where.or([
        where(
          'id',
          'in',
          fresh.map(({ row }) => row.id),
        ),
        where(
          'username_key',
          'in',
          fresh.map(({ row }) => row.username_key),
        ),
        ...BINDINGS.flatMap((field) => {
          const values = fresh.map(({ row }) => row[field]).filter((value) => value !== '')
          return values.length === 0 ? [] : [where(field, 'in', values)]
        }),
      ]),
    )
    .execute()
  for (const { id, username } of found) report.obstacles.push(`user ${id} (${username}) is here already`)
}

const BINDINGS = CLAIMED_FIELDS.filter((field) => field !== 'username' && field !== 'access_token')

async function hasAny(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}
