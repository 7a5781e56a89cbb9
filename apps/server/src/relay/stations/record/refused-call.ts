import { Problem } from '@tollgate/problems/problem'
import type { KnownCall } from './row.ts'

/** The Problem that refused a call after its caller was known; the log row names the rest of `known`. */
export class RefusedCall extends Problem {
  readonly known: KnownCall

  constructor({ code, parameters, cause }: Problem, known: KnownCall) {
    super(code, parameters, { cause })
    this.known = known
  }
}

/** Throws the error again. A Problem then carries what was known of the call, at the place that knew most. */
export function refuseKnown(error: unknown, known: KnownCall): never {
  throw error instanceof Problem && !(error instanceof RefusedCall) ? new RefusedCall(error, known) : error
}
