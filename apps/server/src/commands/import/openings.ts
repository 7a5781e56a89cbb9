import type { OpeningBalance } from '@tollgate/importer/figures'
import { invariant } from '@tollgate/kit/invariant'
import { type AccountKind, accountId } from '@tollgate/ledger/account'
import type { OpenInput } from '@tollgate/ledger/inputs'
import type { Db } from '@tollgate/store/tables/schema'
import { CommandError } from '../command.ts'
import type { ImportContext, Writing } from './import-context.ts'

/** An account to be opened with the amounts of the source. */
export interface Opening {
  readonly table: string
  readonly kind: AccountKind
  readonly ownerId: number
  readonly figures: OpeningBalance
  readonly isUnlimited: boolean
}

function openingKey(sourceId: string, { kind, ownerId }: Opening): string {
  return `import:${sourceId}:${kind}:${ownerId}`
}

/**
 * Opens accounts that do not exist yet: grants the total that the source account ever had and books the part
 * that was used. For accounts that an earlier import opened, amounts that changed in the source since are
 * reported and not applied, because this gateway may have charged the account meanwhile.
 */
export async function importOpenings(context: ImportContext, openings: readonly Opening[]): Promise<void> {
  const known = await readKnown(context, openings)
  const fresh: Opening[] = []
  for (const opening of openings) {
    const there = known.get(openingKey(context.sourceId, opening))
    if (there === undefined) fresh.push(opening)
    else if (!isSame(there, opening.figures)) context.report.note(changed(opening, there))
  }
  await refuseOccupied(context, fresh)
  if (context.writing) await openAll(context, context.writing, fresh)
  for (const { kind, figures } of fresh) context.report.open(kind, figures)
}

async function readKnown(
  { db, sourceId }: ImportContext,
  openings: readonly Opening[],
): Promise<ReadonlyMap<string, OpeningBalance>> {
  if (openings.length === 0) return new Map()
  const rows = await db
    .selectFrom('entry')
    .select(['op_key', 'amount', 'balance_after'])
    .where(
      'op_key',
      'in',
      openings.map((opening) => openingKey(sourceId, opening)),
    )
    .execute()
  return new Map(
    rows.map(({ op_key: key, amount, balance_after: after }) => {
      const remaining = after ?? 0n
      return [key, { remaining, used: amount - remaining }]
    }),
  )
}

function isSame(left: OpeningBalance, right: OpeningBalance): boolean {
  return left.remaining === right.remaining && left.used === right.used
}

function changed({ table, ownerId, kind, figures }: Opening, there: OpeningBalance) {
  const detail = `${kind} account: remaining ${there.remaining}, now ${figures.remaining}; used ${there.used}, now ${figures.used}`
  return { table, id: ownerId, code: 'row-changed', detail } as const
}

/** Reports accounts that already have activity which did not come from this import, as obstacles. */
async function refuseOccupied({ db, report }: ImportContext, fresh: readonly Opening[]): Promise<void> {
  if (fresh.length === 0) return
  const there = await db
    .selectFrom('account')
    .select(['kind', 'owner_id'])
    .where(
      'id',
      'in',
      fresh.map(({ kind, ownerId }) => accountId(kind, ownerId)),
    )
    .execute()
  for (const { kind, owner_id: owner } of there)
    report.obstacles.push(`the ${kind} account of ${owner} has a history of its own`)
}

async function openAll(
  context: ImportContext,
  { ledger }: Writing,
  fresh: readonly Opening[],
): Promise<void> {
  const results = await Promise.all(fresh.map((opening) => ledger.open(inputOf(context, opening))))
  const failed = results.findIndex(({ type }) => type !== 'opened')
  const opening = fresh[failed]
  if (opening)
    throw new CommandError(
      `The ${opening.kind} account of ${opening.ownerId} changed while the import ran: stop whoever else writes here.`,
    )
  await requireEqual(context.db, fresh)
}

function inputOf({ sourceId }: ImportContext, opening: Opening): OpenInput {
  const { kind, ownerId, figures, isUnlimited } = opening
  return {
    key: openingKey(sourceId, opening),
    account: accountId(kind, ownerId),
    ...figures,
    ...(isUnlimited && { unlimited: true }),
    note: 'imported',
  }
}

/**
 * Reads the accounts back after writing, so that the report shows what is stored and not what was intended.
 */
async function requireEqual(db: Db, fresh: readonly Opening[]): Promise<void> {
  if (fresh.length === 0) return
  const expected = new Map(
    fresh.map((opening) => [accountId(opening.kind, opening.ownerId), opening.figures]),
  )
  const rows = await db
    .selectFrom('account')
    .select(['id', 'remaining', 'debt', 'used'])
    .where('id', 'in', [...expected.keys()])
    .execute()
  invariant(rows.length === expected.size, 'every opened account is there')
  for (const { id, remaining, debt, used } of rows) {
    const figures = expected.get(id)
    invariant(
      figures && isSame(figures, { remaining: remaining - debt, used }),
      'an account is as it was opened',
    )
  }
}
