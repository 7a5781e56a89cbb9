/** One profiled thread of a measured process. */
export interface ThreadRecord {
  readonly processId: number
  readonly name: string
  /** Path of its `.cpuprofile`, which speedscope and browsers can open too. */
  readonly file: string
  /** Processor time of the thread while it was profiled. */
  readonly cpuMicros: number
}
