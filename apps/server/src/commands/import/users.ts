import { type Claims, CLAIMED_FIELDS } from '@tollgate/importer/claims'
import { type MappedUser, mapUser } from '@tollgate/importer/map-user'
import { openUserTotals } from '@tollgate/ledger/opening-totals'
import { raiseNextId } from '@tollgate/store/database/next-id'
import type { Db } from '@tollgate/store/tables/schema'
import { insertUsersWithIds } from '@tollgate/store/transfer/imported-rows'
import type { ImportContext } from './import-context.ts'
import { importRows } from './import-rows.ts'
import { type Opening, importOpenings } from './openings.ts'

const TABLE = 'users'

/**
 * Imports users with their ids, password hashes and sign-in bindings, their balances, and the rewards they
 * earned. The accounts are opened before the users are written: if the run is interrupted between the two, the
 * next run finds the accounts and continues.
 */
export async function importUsers(context: ImportContext, claims: Claims): Promise<void> {
  const { db, report, writing, nowMs } = context
  await importRows(context, {
    table: TABLE,
    isMain: true,
    map: (row) => {
      const user = mapUser(row, { claims, nowMs })
      return { id: user.row.id, row: user, refusal: undefined, name: user.row.username, notes: user.notes }
    },
    onBatch: async (users) => {
      for (const { row } of users) report.groups.add(row.group_name)
      await importOpenings(context, users.flatMap(openingsOf))
    },
    findForeign,
    insert: async (transaction, fresh) => {
      const rows = fresh.map(({ row }) => row)
      await insertUsersWithIds(transaction, rows)
      const totals = fresh.map(({ row: { id }, calls }) => ({ id, calls }))
      await openUserTotals(transaction, totals)
    },
  })
  if (writing) await raiseNextId(db, { traits: writing.traits, table: TABLE })
}

/** Most users never earned an affiliate reward and need no account for it. */
function openingsOf({ row: { id }, own, affiliate }: MappedUser): readonly Opening[] {
  const account = { table: TABLE, ownerId: id, isUnlimited: false }
  const opening: Opening = { ...account, kind: 'user', figures: own }
  if (affiliate.remaining === 0n && affiliate.used === 0n) return [opening]
  return [opening, { ...account, kind: 'affiliate', figures: affiliate }]
}

/**
 * Finds users of this database that did not come from this source but share an id, a name or a sign-in binding
 * with a user of the source.
 */
async function findForeign(db: Db, fresh: readonly MappedUser[]): Promise<readonly string[]> {
  if (!(await hasAny(db))) return []
  const ids = fresh.map(({ row }) => row.id)
  const names = fresh.map(({ row }) => row.username_key)
  const found = await db
    .selectFrom(TABLE)
    .select(['id', 'username'])
    .where((where) =>
      where.or([
        where('id', 'in', ids),
        where('username_key', 'in', names),
        ...BINDINGS.flatMap((field) => {
          const values = fresh.map(({ row }) => row[field]).filter((value) => value !== '')
          return values.length === 0 ? [] : [where(field, 'in', values)]
        }),
      ]),
    )
    .execute()
  return found.map(({ id, username }) => `user ${id} (${username}) is here already`)
}

const BINDINGS = CLAIMED_FIELDS.filter((field) => field !== 'username' && field !== 'access_token')

async function hasAny(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}
