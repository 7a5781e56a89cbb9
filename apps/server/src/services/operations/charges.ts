import type { ChargeNoteRow } from '@tollgate/contract/charge-notes'
import type { operationsRoutes } from '@tollgate/contract/operations'
import { isChargeNoteKind } from '@tollgate/kit/codes'
import { type ChargeNoteSum, dayOfNotes, listChargeNotes } from '@tollgate/store/operations/charge-notes'
import { channelNames } from '@tollgate/store/logs/logs'
import { CHARGE_NOTE_DAYS } from '../../jobs/note-charges.ts'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { wireQuota } from '../wire-quota.ts'

const LISTED_MAX = 200

export function listCharges({
  store,
  clock,
}: Pick<Services, 'store' | 'clock'>): Handler<typeof operationsRoutes.charges> {
  return async () => {
    const sinceDay = dayOfNotes(clock.nowMs()) - CHARGE_NOTE_DAYS
    const notes = await listChargeNotes(store, { sinceDay, limit: LISTED_MAX })
    const names = await channelNames(store, [...new Set(notes.map((note) => note.channel_id))])
    return notes.flatMap((note) => wireNote(note, names.get(note.channel_id) ?? '') ?? [])
  }
}

/** `undefined` for a kind of a later version. */
function wireNote(
  { kind, quota, first_ms: firstMs, last_ms: lastMs, ...note }: ChargeNoteSum,
  channelName: string,
): ChargeNoteRow | undefined {
  if (!isChargeNoteKind(kind)) return undefined
  return {
    ...note,
    kind,
    channel_name: channelName,
    quota: wireQuota(quota),
    first_time: Math.floor(firstMs / 1000),
    last_time: Math.floor(lastMs / 1000),
  }
}
