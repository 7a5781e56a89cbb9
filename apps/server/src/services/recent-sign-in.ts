import type { Clock } from '@tollgate/kit/clock'
import { problem } from '@tollgate/kit/problem'
import type { Actor } from './handler.ts'

/** Long enough for a working day, short enough that a stolen cookie does not show keys for weeks. */
export const RECENT_MS = 12 * 3_600_000

/**
 * Guards every answer that shows a stored secret: the actor has proven the password in this session not long ago.
 * An access token proves no password, so scripts get a key once, when they create it.
 */
export function requireRecentSignIn(actor: Actor, clock: Clock): void {
  const isRecent = actor.via === 'session' && clock.nowMs() - actor.provenMs <= RECENT_MS
  if (!isRecent) throw problem('recent_sign_in_needed')
}
