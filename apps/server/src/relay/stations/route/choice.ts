import type { LessonName } from '@tollgate/dialects/traits/lessons'
import type { RosterChannel } from '../../../snapshots/snapshots.ts'

/** The target of an attempt: a channel and one of its keys. */
export interface Choice {
  readonly channel: RosterChannel
  readonly keyIndex: number
  /** The lessons from the refusals of the attempts before, to be applied in this one. */
  readonly lessons?: readonly LessonName[]
  /** Sent again without signatures or encrypted reasoning that the channel refused. */
  readonly isWithoutSeals?: true
}
