import { Problem } from '@tollgate/problems/problem'
import type { TokenEntry } from '../snapshots/snapshots.ts'

/** A known token, and where its call came from. */
export interface KnownToken {
  readonly token: TokenEntry
  readonly address: string
}

/** The Problem that refused a call of a known token. */
export class RefusedToken extends Problem {
  readonly source: KnownToken

  constructor({ code, parameters, cause }: Problem, source: KnownToken) {
    super(code, parameters, { cause })
    this.source = source
  }
}

/** Throws the error again. A Problem then carries the token that it refused. */
export function refuseToken(error: unknown, source: KnownToken): never {
  throw error instanceof Problem ? new RefusedToken(error, source) : error
}
