import type { AllotmentReport, InterruptedCall, RejectedLine } from '../inputs.ts'
import type { CallEnd } from '../journal/line.ts'

/** A range of a journal file that is to be folded. It is read beside the database. */
export interface JournalRange {
  readonly path: string
  readonly fileId: string
  /** The instance that wrote the file. */
  readonly instanceId: string
  readonly from: number
  readonly to: number
  /** See {@link import('../inputs.ts').FoldInput}. */
  readonly openFrom?: number
  readonly reports: readonly AllotmentReport[]
  readonly isLate?: boolean
  readonly isOwn?: boolean
  /**
   * The instance is dead and nothing follows: calls that were opened from this position on and have no end are
   * interrupted.
   */
  readonly last?: { readonly openFrom: number }
}

/** What a reader finds in a range. */
export interface RangeContent {
  readonly ends: readonly PositionedEnd[]
  /** Calls that are open at the end of the file; only for the last range. */
  readonly interrupted: readonly InterruptedCall[]
  /** Gaps and lines that cannot be decoded. */
  readonly unreadable: readonly RejectedLine[]
}

export interface PositionedEnd {
  readonly end: CallEnd
  /** Position after the line. */
  readonly to: number
}

/**
 * `positionOf` tells how far another file is folded: a line that is repeated in a later file counts once. 0 for a
 * file that was not folded.
 */
export type ReadRange = (range: JournalRange, positionOf: (fileId: string) => number) => RangeContent
