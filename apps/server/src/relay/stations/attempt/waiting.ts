import { keepAliveEvery } from '../deliver/outlet.ts'
import type { Held } from '../hold/held.ts'
import type { Prepared } from './prepare.ts'

/**
 * A stream converted from a whole response has nothing to send for a long time, so its keep-alive comments
 * are more frequent.
 */
const REPLAYED_MS = 5_000

/** Head and status are fixed by the first comment, so most failures are waited for. */
const FIRST_MS = 30_000

/** The interval of a stream: the first keep-alive fixes the status and comes later than the others. */
export function keepAliveIntervalMs({ call, settings }: Pick<Held, 'call' | 'settings'>): number | undefined {
  const { pingIntervalMs } = settings
  if (pingIntervalMs === undefined || call.response.headersSent) return pingIntervalMs
  return Math.max(FIRST_MS, pingIntervalMs)
}

/**
 * Sends keep-alive comments until a response arrives, so that proxies do not time out. They do not count as a
 * response: after a failure another channel may still be tried.
 */
export function whileWaiting(held: Held, prepared: Prepared): (now: number) => void {
  const { call, ask } = held
  const isReplayed = ask.isStream && !prepared.isStream
  return (now) => {
    const intervalMs = isReplayed ? REPLAYED_MS : keepAliveIntervalMs(held)
    if (ask.isStream) keepAliveEvery(call, { now, intervalMs })
  }
}
