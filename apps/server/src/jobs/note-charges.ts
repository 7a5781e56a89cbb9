import type { Clock } from '@tollgate/kit/clock'
import {
  addChargeNote,
  type ChargeNote,
  dayOfNotes,
  pruneChargeNotes,
} from '@tollgate/store/operations/charge-notes'
import type { Db } from '@tollgate/store/tables/schema'
import type { Job } from './job.ts'

export interface NoteChargesParts {
  readonly db: Db
  readonly clock: Clock
  readonly charges: { take(): readonly ChargeNote[] }
  readonly leadership: { readonly isOurs: boolean }
}

const MINUTE_MS = 60_000
export const CHARGE_NOTE_DAYS = 30

/** Keeps what was unusual about charges, for the operations page and its alerts. */
export function noteChargesJob({ db, clock, charges, leadership }: NoteChargesParts): Job {
  return {
    name: 'note-charges',
    everyMs: MINUTE_MS,
    runs: 'everywhere',
    run: async () => {
      const nowMs = clock.nowMs()
      const notes = charges.take()
      for (const note of notes) await addChargeNote(db, note, nowMs)
      if (leadership.isOurs) await pruneChargeNotes(db, dayOfNotes(nowMs) - CHARGE_NOTE_DAYS)
      return { notes: notes.length }
    },
  }
}
