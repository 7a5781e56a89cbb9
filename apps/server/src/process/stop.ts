import { type Clock, systemClock } from '@tollgate/kit/clock'
import type { Logger } from 'pino'

/** What ends with the process. */
export interface Stoppable {
  close(options: { drainMs?: number; hurry: Promise<void> }): Promise<void>
}

/** Asks for an orderly end; a second time, for a quick one. */
export type Stop = (
  reason: Readonly<Record<string, unknown>>,
  how: { code: number; drainMs?: number },
) => void

export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

export function stopping(stoppable: Stoppable, log: Logger): Stop {
  let hurry: (() => void) | undefined
  return (reason, { code, drainMs }) => {
    if (hurry) return hurry()
    log.info(reason, 'stopping')
    const hurried = new Promise<void>((resolve) => {
      hurry = resolve
    })
    stoppable.close({ hurry: hurried, ...(drainMs !== undefined && { drainMs }) }).then(
      () => process.exit(code),
      (error: unknown) => leaveNow(log, error),
    )
  }
}

/**
 * The first signal: no new connections, streams finish within DRAIN_SECONDS, the rest is settled, exit 0. The second:
 * settle at once.
 */
export function stopOnSignals(stop: Stop): void {
  const hear = onSignal(stop, systemClock)
  for (const signal of SIGNALS) process.on(signal, hear)
}

/** One wish may arrive twice: from the terminal, which tells everybody in it, and from npm, which hands on what it hears. */
const SAME_WISH_MS = 1_000

export function onSignal(stop: Stop, clock: Clock): (signal: string) => void {
  let heardMs: number | undefined
  return (signal) => {
    const nowMs = clock.monotonicMs()
    if (heardMs !== undefined && nowMs - heardMs < SAME_WISH_MS) return
    heardMs = nowMs
    stop({ signal }, { code: 0 })
  }
}

/** An error nobody caught stops the same way, without waiting, and exits 1. */
export function stopOnBugs(stop: Stop, log: Logger): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      log.fatal({ error, event }, 'an error nobody caught')
      stop({ event }, { code: 1, drainMs: 0 })
    })
}

/** The books cannot be written any more: nothing may be acknowledged, and the next start recovers. */
export function leaveNow(log: Logger, error: unknown): never {
  log.fatal({ error }, 'stopping at once')
  process.exit(1)
}
