import { Cron } from 'croner'

/** Times at which a job is due. */
export interface Schedule {
  /** For operators: the pattern, or nothing when the job runs only on request. */
  readonly pattern: string
  /** The first time after this one. */
  next(afterMs: number): number | undefined
}

/** `pattern` is read at each question, because a setting may change it. A pattern that croner rejects has no times. */
export function cronSchedule(pattern: () => string): Schedule {
  let known = { pattern: '', cron: undefined as Cron | undefined }
  const current = (): Cron | undefined => {
    const text = pattern()
    if (text !== known.pattern) known = { pattern: text, cron: parse(text) }
    return known.cron
  }
  return {
    get pattern() {
      return pattern()
    },
    next: (afterMs) => current()?.nextRun(new Date(afterMs))?.getTime(),
  }
}

function parse(pattern: string): Cron | undefined {
  try {
    return new Cron(pattern, { paused: true })
  } catch {
    return undefined
  }
}
