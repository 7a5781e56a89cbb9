import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import type { KeptResponses } from './kept-responses.ts'
import type { MemoryBudget } from './memory-budget.ts'
import type { HttpOnly } from './upstream/http-only.ts'
import type { OpenSocket } from './upstream/open-socket.ts'

/** What connections of the Responses API work with. */
export interface ConnectionApp extends Pick<
  App,
  'bodies' | 'clock' | 'frames' | 'inFlight' | 'limits' | 'log' | 'now' | 'snapshots' | 'sockets' | 'watch'
> {
  readonly keptResponses: KeptResponses
  readonly memory: MemoryBudget
  readonly httpOnly: HttpOnly
  readonly openSocket: OpenSocket
  /** Handles a call of a connection from its request until its settlement is under way. Never rejects. */
  readonly serve: (call: Call) => Promise<void>
  /** Answers a call with `generate: false`. Never rejects. */
  readonly warmUp: (call: Call) => Promise<void>
}
