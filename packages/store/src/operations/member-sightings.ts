import type { Selectable } from 'kysely'
import { insertUnlessKnown } from '../database/insert-unless-known.ts'
import type { MemberSightingTable } from '../tables/operations.ts'
import type { Db } from '../tables/schema.ts'

/** `unknown`: no row of the catalogue knows the member. `taken`: a row, or its words, take it out. */
export type SightingKind = 'unknown' | 'taken'

export interface MemberSighting {
  readonly kind: SightingKind
  readonly wire: string
  /** Path of the member: `reasoning.depth`. */
  readonly member: string
  readonly channel_id: number
  /** The program that sent it last. */
  readonly client: string
  readonly client_version: string
  readonly passed: number
  readonly taken: number
}

/** Adds what one process saw; several may add to the same row at a time. */
export async function addMemberSighting(db: Db, seen: MemberSighting, nowMs: number): Promise<void> {
  if (await increase(db, seen, nowMs)) return
  const row = { ...seen, first_ms: nowMs, last_ms: nowMs, passed: 0, taken: 0 }
  const insert = db.insertInto('member_sightings').values(row)
  await insertUnlessKnown(db, insert, ['kind', 'wire', 'member', 'channel_id'])
  await increase(db, seen, nowMs)
}

async function increase(db: Db, seen: MemberSighting, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('member_sightings')
    .set((row) => ({
      passed: row('passed', '+', seen.passed),
      taken: row('taken', '+', seen.taken),
      client: seen.client,
      client_version: seen.client_version,
      last_ms: nowMs,
    }))
    .where('kind', '=', seen.kind)
    .where('wire', '=', seen.wire)
    .where('member', '=', seen.member)
    .where('channel_id', '=', seen.channel_id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The sightings of one kind, the last seen first. */
export function listMemberSightings(
  db: Db,
  kind: SightingKind,
  limit: number,
): Promise<Selectable<MemberSightingTable>[]> {
  return db
    .selectFrom('member_sightings')
    .selectAll()
    .where('kind', '=', kind)
    .orderBy('last_ms', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Removes what was not seen since, and the longest unseen beyond a number of each kind. */
export async function pruneMemberSightings(
  db: Db,
  { sinceMs, keptMax }: { readonly sinceMs: number; readonly keptMax: number },
): Promise<void> {
  await db.deleteFrom('member_sightings').where('last_ms', '<', sinceMs).execute()
  for (const kind of ['unknown', 'taken'] as const) {
    const beyond = await db
      .selectFrom('member_sightings')
      .select('id')
      .where('kind', '=', kind)
      .orderBy('last_ms', 'desc')
      .orderBy('id')
      .offset(keptMax)
      .limit(1_000)
      .execute()
    const ids = beyond.map(({ id }) => id)
    if (ids.length > 0) await db.deleteFrom('member_sightings').where('id', 'in', ids).execute()
  }
}
