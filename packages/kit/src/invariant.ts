/** A broken invariant is a bug of ours, never an answer to a caller. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** Throws an {@link InvariantError} unless `condition` holds. The message states the rule, not the failure. */
export function invariant(condition: unknown, rule: string): asserts condition {
  if (!condition) throw new InvariantError(rule)
}
