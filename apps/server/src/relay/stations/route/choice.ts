import type { LessonName } from '@tollgate/dialects/traits/lessons'
import type { RosterChannel } from '../../../snapshots/snapshots.ts'

/** The target of an attempt: a channel and one of its keys. */
export interface Choice {
  readonly channel: RosterChannel
  readonly keyIndex: number
  /** The lesson from the refusal of the previous attempt, to be applied in this one. */
  readonly lesson?: LessonName
}
