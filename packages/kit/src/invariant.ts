/** A broken invariant is a bug in the gateway; its message is never sent to a caller. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/**
 * Throws an {@link InvariantError} unless `condition` holds. The message states the rule, not the failure:
 * `'a charge is never negative'`.
 */
export function invariant(condition: unknown, rule: string): asserts condition {
  if (!condition) throw new InvariantError(rule)
}
