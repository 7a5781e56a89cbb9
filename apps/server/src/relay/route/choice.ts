import type { LessonName } from '@tollgate/dialects/traits/lessons'
import type { RosterChannel } from '../../snapshots/snapshots.ts'

/** Where an attempt goes: a channel, and one of its keys. */
export interface Choice {
  readonly channel: RosterChannel
  readonly keyIndex: number
  /** What its refusal a moment ago taught, to be tried. */
  readonly lesson?: LessonName
}
