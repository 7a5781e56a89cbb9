import { keepAliveEvery, keepAliveIntervalMs } from '../deliver/outlet.ts'
import type { Held } from '../hold/held.ts'
import type { Prepared } from './prepare.ts'

/**
 * A stream converted from a whole response has nothing to send for a long time, so its keep-alive comments
 * are more frequent.
 */
const REPLAYED_MS = 5_000

/**
 * Sends keep-alive comments until a response arrives, so that proxies do not time out. They do not count as a
 * response: after a failure another channel may still be tried.
 */
export function whileWaiting(held: Held, prepared: Prepared): (now: number) => void {
  const { call, ask, settings } = held
  const isReplayed = ask.isStream && !prepared.isStream
  return (now) => {
    const intervalMs = isReplayed ? REPLAYED_MS : keepAliveIntervalMs(call, settings)
    if (ask.isStream) keepAliveEvery(call, { now, intervalMs })
  }
}
