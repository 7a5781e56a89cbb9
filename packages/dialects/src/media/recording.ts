/** Length of a recording according to its container. */
export interface AudioLength {
  readonly seconds: number
  /** Whether the length follows from the audio data itself; otherwise it is what a header claims. */
  readonly isMeasured: boolean
}
