import type { LimitDecision } from '@tollgate/coordination/limits'
import { problem } from '@tollgate/problems/problem'

/** Refuses what a limiter refuses, and tells the caller how long to wait. */
export function requireAllowed(decision: LimitDecision): void {
  if (decision.allowed) return
  throw problem('too_many_requests', { seconds: Math.max(1, Math.ceil(decision.retryAfterMs / 1000)) })
}
