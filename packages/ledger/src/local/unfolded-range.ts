/** A range of one journal file that is not in the ledger yet. */
export interface UnfoldedRange {
  readonly path: string
  readonly fileId: string
  readonly from: number
  readonly to: number
  /** It ends where the journal ends. */
  readonly isComplete: boolean
}
