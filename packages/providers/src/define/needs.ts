import type { KnownSignatures } from './call-signatures.ts'
import type { FetchedMedia } from './media.ts'

/** What must be looked up before a request can be written; usually nothing. */
export interface Needs {
  /** Addresses of media that the upstream does not fetch itself. */
  readonly addresses: readonly string[]
  /** Tool calls in the history that lack their vendor's signature. */
  readonly callIds: readonly string[]
}

export const NO_NEEDS: Needs = { addresses: [], callIds: [] }

/** What was found of the needs, and the current time. */
export interface Found {
  readonly media?: FetchedMedia
  /** Gemini's signatures of earlier tool calls, by call id. */
  readonly signatures?: KnownSignatures
  /** The reasoning of earlier turns, by `describeTurn`. */
  readonly reasoning?: ReadonlyMap<string, string>
  /** For request signatures. */
  readonly nowMs?: number
}
