import type { Clock } from '@tollgate/kit/clock'
import { addModelDay, removeModelDays } from '@tollgate/store/operations/model-days'
import type { Db } from '@tollgate/store/tables/schema'
import type { Job } from './job.ts'

export interface NoteModelsParts {
  readonly db: Db
  readonly clock: Clock
  readonly models: {
    take(): ReadonlyMap<string, { readonly succeeded: number; readonly failed: number }>
  }
  readonly leadership: { readonly isOurs: boolean }
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const DAYS_KEPT = 100

/** Adds the calls of each model to its day, for the status page. */
export function noteModelsJob({ db, clock, models, leadership }: NoteModelsParts): Job {
  return {
    name: 'note-models',
    everyMs: MINUTE_MS,
    runs: 'everywhere',
    run: async () => {
      const day = Math.floor(clock.nowMs() / DAY_MS)
      const counted = models.take()
      for (const [model, results] of counted) await addModelDay(db, { day, model, ...results })
      if (leadership.isOurs) await removeModelDays(db, day - DAYS_KEPT)
      return { models: counted.size }
    },
  }
}
