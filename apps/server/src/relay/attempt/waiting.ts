import { keepAliveEvery } from '../deliver/outlet.ts'
import type { Held } from '../hold/held.ts'
import type { Prepared } from './prepare.ts'

/** A stream made of a whole answer has nothing to show for long, so it says so more often. */
const REPLAYED_MS = 5_000

/**
 * Comments while no answer has come, so that proxies on the way do not give up. They do not count as an answer: a failure
 * may still lead to another channel.
 */
export function whileWaiting({ call, ask, settings }: Held, prepared: Prepared): (now: number) => void {
  const isReplayed = ask.isStream && !prepared.isStream
  const intervalMs = isReplayed ? REPLAYED_MS : settings.pingIntervalMs
  return (now) => {
    if (ask.isStream) keepAliveEvery(call, { now, intervalMs })
  }
}
