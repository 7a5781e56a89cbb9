import type { Choice } from '../route/choice.ts'
import type { KeyHealth } from '../route/key-health.ts'
import type { Failure } from './failure.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** A saturated key rests this long when the upstream does not say. */
const SATURATED_MS = 10 * SECOND
/** A key the upstream refuses is tried again after this, if its channel is still enabled. */
const REFUSED_MS = 10 * MINUTE
/** So many failures of the upstream's own within a minute, with no success between, let a key rest. */
const BROKEN_STRIKES = 3
const BROKEN_MS = 10 * SECOND
/** A text a caller can provoke must come this often within ten minutes before it is believed. */
const LIKELY_STRIKES = 3

export interface HealthPorts {
  readonly health: KeyHealth
  readonly now: () => number
}

/**
 * Draws the consequences of a failed attempt for its key. `true` when the upstream has refused the channel's last usable
 * key, so that the channel may be disabled.
 */
export function noteFailure(choice: Choice, failure: Failure, { health, now }: HealthPorts): boolean {
  const { channel, keyIndex } = choice
  const time = now()
  if (isRefused(choice, failure, { health, time })) {
    health.rest(channel, keyIndex, time + REFUSED_MS)
    return health.condemn(channel, keyIndex)
  }
  if (failure.status === 429 && failure.blame === 'upstream') {
    health.rest(channel, keyIndex, time + Math.min(failure.retryAfterMs ?? SATURATED_MS, MINUTE))
  } else if (isUpstreamBroken(failure)) {
    const strikes = health.strike(channel, keyIndex, { now: time, windowMs: MINUTE })
    if (strikes >= BROKEN_STRIKES) health.rest(channel, keyIndex, time + BROKEN_MS)
  }
  return false
}

function isRefused(
  { channel, keyIndex }: Choice,
  { evidence }: Failure,
  { health, time }: { health: KeyHealth; time: number },
): boolean {
  if (evidence !== 'likely') return evidence === 'certain'
  return health.strike(channel, keyIndex, { now: time, windowMs: 10 * MINUTE }) >= LIKELY_STRIKES
}

function isUpstreamBroken({ blame, status }: Failure): boolean {
  return blame === 'network' || (blame === 'upstream' && status >= 500)
}
