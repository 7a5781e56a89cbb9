import { insertUnlessKnown } from '../database/insert-unless-known.ts'
import type { ChargeNoteTable } from '../tables/operations.ts'
import type { Db } from '../tables/schema.ts'

export type ChargeNote = Pick<ChargeNoteTable, 'kind' | 'channel_id' | 'model' | 'detail' | 'calls' | 'quota'>

const DAY_MS = 86_400_000

/** The day of the notes, since the epoch, in UTC. */
export function dayOfNotes(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS)
}

/** Adds what one process saw; several may add to the same row at a time. */
export async function addChargeNote(db: Db, note: ChargeNote, nowMs: number): Promise<void> {
  if (await increase(db, note, nowMs)) return
  const row = { ...note, day: dayOfNotes(nowMs), first_ms: nowMs, last_ms: nowMs, calls: 0, quota: 0n }
  const insert = db.insertInto('charge_notes').values(row)
  await insertUnlessKnown(db, insert, ['day', 'kind', 'channel_id', 'model'])
  await increase(db, note, nowMs)
}

async function increase(db: Db, note: ChargeNote, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('charge_notes')
    .set((row) => ({
      calls: row('calls', '+', note.calls),
      quota: row('quota', '+', note.quota),
      detail: note.detail,
      last_ms: nowMs,
    }))
    .where('day', '=', dayOfNotes(nowMs))
    .where('kind', '=', note.kind)
    .where('channel_id', '=', note.channel_id)
    .where('model', '=', note.model)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export type ChargeNoteSum = Omit<ChargeNoteTable, 'id' | 'day'>

/** The notes since a day, summed by kind, channel and model, the latest first. */
export async function listChargeNotes(
  db: Db,
  { sinceDay, limit }: { readonly sinceDay: number; readonly limit: number },
): Promise<readonly ChargeNoteSum[]> {
  const rows = await db
    .selectFrom('charge_notes')
    .selectAll()
    .where('day', '>=', sinceDay)
    .orderBy('last_ms', 'desc')
    .orderBy('id')
    .limit(READ_MAX)
    .execute()
  const sums = new Map<string, ChargeNoteSum>()
  for (const { id: _id, day: _day, ...row } of rows) {
    const key = `${row.kind} ${row.channel_id} ${row.model}`
    const later = sums.get(key)
    sums.set(key, later === undefined ? row : addEarlier(later, row))
  }
  return [...sums.values()].slice(0, limit)
}

const READ_MAX = 5_000

function addEarlier(later: ChargeNoteSum, earlier: ChargeNoteSum): ChargeNoteSum {
  return {
    ...later,
    calls: later.calls + earlier.calls,
    quota: later.quota + earlier.quota,
    first_ms: Math.min(later.first_ms, earlier.first_ms),
  }
}

export async function pruneChargeNotes(db: Db, beforeDay: number): Promise<void> {
  await db.deleteFrom('charge_notes').where('day', '<', beforeDay).execute()
}
