import { type Clock, systemClock } from '@tollgate/kit/clock'
import type { Logger } from 'pino'

/** A server that is closed when the process ends. */
export interface Stoppable {
  close(options: { drainMs?: number; hurry: Promise<void> }): Promise<void>
}

/** Requests a graceful shutdown; a second call requests a fast one. */
export type Stop = (
  reason: Readonly<Record<string, unknown>>,
  how: { code: number; drainMs?: number },
) => void

export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

export function stopping(stoppable: Stoppable, log: Logger): Stop {
  let hurry: (() => void) | undefined
  return (reason, { code, drainMs }) => {
    if (hurry) return hurry()
    log.info(reason, 'shutting down')
    const hurried = new Promise<void>((resolve) => {
      hurry = resolve
    })
    stoppable.close({ hurry: hurried, ...(drainMs !== undefined && { drainMs }) }).then(
      () => {
        log.info({ code }, 'stopped')
        process.exit(code)
      },
      (error: unknown) => leaveNow(log, error),
    )
  }
}

/**
 * First signal: no new connections, streams may finish within DRAIN_SECONDS, the rest is settled, exit code
 * 0. Second signal: settle at once.
 */
export function stopOnSignals(stop: Stop): void {
  const hear = onSignal(stop, systemClock)
  for (const signal of SIGNALS) process.on(signal, hear)
}

/**
 * One stop request may arrive as two signals: the terminal signals every process in its group, and npm
 * forwards what it receives.
 */
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

/** An uncaught error shuts the server down in the same way but without draining, with exit code 1. */
export function stopOnBugs(stop: Stop, log: Logger): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      log.fatal({ error, event }, 'uncaught error; shutting down')
      stop({ event }, { code: 1, drainMs: 0 })
    })
}

/**
 * The ledger can no longer be written, so nothing may be acknowledged any more. The next start recovers open
 * calls.
 */
export function leaveNow(log: Logger, error: unknown): never {
  log.fatal({ error }, 'fatal error; exiting at once')
  process.exit(1)
}
