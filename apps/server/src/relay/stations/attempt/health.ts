import type { App } from '../../app.ts'
import type { Choice } from '../route/choice.ts'
import type { KeyHealth } from '../route/key-health.ts'
import type { AttemptFailure } from './failure.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** How long a rate-limited key cools down when the upstream does not say. */
const SATURATED_MS = 10 * SECOND
/** A key that the upstream refused is tried again after this time, if its channel is still enabled. */
const REFUSED_MS = 10 * MINUTE
/** This many upstream failures within a minute, with no success between, open the key's circuit. */
const BROKEN_STRIKES = 3
/**
 * An error text that a caller can provoke must occur this often within ten minutes before it counts as a
 * refusal.
 */
const LIKELY_STRIKES = 3

/** What must be disabled: one of several keys, or the channel because its last usable key was refused. */
export type Refused = 'nothing' | 'key' | 'channel'

/** Updates the health of the key after a failed attempt. */
export function noteFailure(
  choice: Choice,
  failure: AttemptFailure,
  { health, now }: Pick<App, 'health' | 'now'>,
): Refused {
  const { channel, keyIndex } = choice
  const time = now()
  if (isRefused(choice, failure, { health, time })) {
    health.coolDown(channel, keyIndex, time + REFUSED_MS)
    return health.markRefused(channel, keyIndex) ? 'channel' : 'key'
  }
  if (failure.status === 429 && failure.blame === 'upstream') {
    health.coolDown(channel, keyIndex, time + (failure.retryAfterMs ?? SATURATED_MS))
  } else if (isUpstreamBroken(failure)) noteBroken(choice, health, time)
  else if (failure.blame === 'upstream') health.answered(channel, keyIndex)
  return 'nothing'
}

function noteBroken({ channel, keyIndex }: Choice, health: KeyHealth, now: number): void {
  const isOnTrial = health.isOnTrial(channel, keyIndex)
  const strikes = health.recordFailure(channel, keyIndex, { now, windowMs: MINUTE })
  if (isOnTrial || strikes >= BROKEN_STRIKES) health.open(channel, keyIndex, now)
}

function isRefused(
  { channel, keyIndex }: Choice,
  { evidence }: AttemptFailure,
  { health, time }: { health: KeyHealth; time: number },
): boolean {
  if (evidence !== 'likely') return evidence === 'certain'
  return health.recordFailure(channel, keyIndex, { now: time, windowMs: 10 * MINUTE }) >= LIKELY_STRIKES
}

function isUpstreamBroken({ blame, status }: AttemptFailure): boolean {
  return blame === 'network' || (blame === 'upstream' && status >= 500)
}
