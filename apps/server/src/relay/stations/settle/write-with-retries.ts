import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../log.ts'

/** Pauses between tries. */
const RETRY_MS = [50, 500, 5_000]

interface Writing {
  readonly requestId: string
  readonly what: 'call' | 'task'
  readonly log: Log
}

/**
 * Writes a settlement, again after each failure; rejects with the last one. Settlements are idempotent by
 * call id, so repeating one whose result was lost is harmless.
 */
export async function writeWithRetries<Result>(
  write: () => Promise<Result>,
  { requestId, what, log }: Writing,
): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await write()
    } catch (error) {
      const pauseMs = RETRY_MS[tries]
      log.error(
        { error, requestId, isFinal: pauseMs === undefined },
        `could not write the settlement of a ${what}`,
      )
      if (pauseMs === undefined) throw error
      await sleep(pauseMs, undefined, { ref: false })
    }
  }
}
