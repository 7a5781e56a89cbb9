/** What runs by the clock, or when an operator asks. */
export interface Job {
  readonly name: string
  /** `undefined`: only when somebody asks. */
  readonly everyMs?: number
  /** Before its first run; `everyMs` unless told. */
  readonly firstMs?: number
  /** Over one database: at one of its processes, or at each of them. */
  readonly runs: 'once' | 'everywhere'
  /** What came of it, in figures that operators see. */
  run(context?: RunContext): Promise<Figures | void>
}

export interface RunContext {
  readonly report: Report
  /** An operator asked for it; otherwise its time had come. */
  readonly isAsked: boolean
}

export type Figures = Readonly<Record<string, number>>

/** How far a long run is. */
export type Report = (progress: { readonly done: number; readonly total: number }) => void

export interface JobsLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}
