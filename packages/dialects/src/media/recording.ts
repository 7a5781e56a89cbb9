/** How long a recording is, as its container tells it. */
export interface AudioLength {
  readonly seconds: number
  /** Follows from the sound itself; otherwise it is what a header says of it. */
  readonly isMeasured: boolean
}
