import type { CallRow } from '@tollgate/store/logs/find-call'

/**
 * What callers may read about themselves outside the snapshots. A read sees every call that ended before it;
 * reads of one user wait for each other. Rejects with a Problem if there are too many, or if one takes too long.
 */
export interface CallerReads {
  /** A call of the user by the id of its request or of its answer, of which one is in `ids`. */
  findCall(input: { readonly userId: number; readonly ids: readonly string[] }): Promise<CallRow | undefined>
  /** The charges less the refunds of a token since each of these moments. */
  spentSince(token: TokenOfUser, sinceMs: readonly number[]): Promise<readonly bigint[]>
}

export interface TokenOfUser {
  readonly id: number
  readonly userId: number
}
