/** Reports the progress of a long step to the operator's terminal. */
export interface Progress {
  start(what: string, total: number): void
  advance(rows: number): void
  end(): void
}

/** For programs, which read only the result. */
export const silentProgress: Progress = {
  start: () => undefined,
  advance: () => undefined,
  end: () => undefined,
}

const BAR_CHARACTERS = 24
const REDRAWN_AFTER_MS = 100
const LINE_AFTER_MS = 10_000

export interface ProgressOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** In a terminal, a progress bar that redraws itself; elsewhere, a line from time to time. */
export function openProgress(output: ProgressOutput, now: () => number = () => performance.now()): Progress {
  const isTerminal = output.isTTY === true
  let step = { what: '', total: 0, done: 0, startMs: 0 }
  let drawnMs = 0
  const draw = (ending: string): void => {
    drawnMs = now()
    const text = describe(step, drawnMs - step.startMs)
    output.write(isTerminal ? `\r\u001b[2K${text}${ending}` : `${text}\n`)
  }
  return {
    start(what, total) {
      step = { what, total, done: 0, startMs: now() }
      drawnMs = step.startMs
    },
    advance(rows) {
      step = { ...step, done: step.done + rows }
      if (now() - drawnMs > (isTerminal ? REDRAWN_AFTER_MS : LINE_AFTER_MS)) draw('')
    },
    end() {
      if (isTerminal && drawnMs !== step.startMs) output.write('\r\u001b[2K')
    },
  }
}

interface Step {
  readonly what: string
  readonly total: number
  readonly done: number
}

function describe({ what, total, done }: Step, elapsedMs: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const filled = Math.round(share * BAR_CHARACTERS)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_CHARACTERS - filled)
  const perSecond = elapsedMs > 0 ? Math.round((done / elapsedMs) * 1000) : 0
  const leftSeconds = perSecond > 0 ? Math.ceil(Math.max(0, total - done) / perSecond) : 0
  const count = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`
  return `${what} ${bar} ${Math.floor(share * 100)} % ${count}, ${perSecond.toLocaleString('en')} rows/s, ${leftSeconds} s left`
}
