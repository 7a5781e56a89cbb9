import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Egress } from '@tollgate/egress/egress'
import type { Clock } from '@tollgate/kit/clock'
import { Problem, problem } from '@tollgate/kit/problem'
import type { Ledger } from '@tollgate/ledger/ledger'
import type { UsageLogRow } from '@tollgate/store/schema'
import type { Books } from '../books/books.ts'
import { openTokens } from './access-tokens.ts'
import { authenticate } from './admit/authenticate.ts'
import { Call } from './call.ts'
import { callerDialect } from './caller-dialect.ts'
import { countTokens } from './count-tokens.ts'
import type { Caller } from './admit/caller.ts'
import { answerPreflight } from './deliver/preflight.ts'
import { writeWhole } from './deliver/outlet.ts'
import { refuseWithProblem } from './deliver/refuse.ts'
import { entranceOf, isRelayPath, normalisePath, type CallEntrance, type Entrance } from './entrance.ts'
import { InFlight } from './in-flight.ts'
import { defaultRelayLimits, type RelayLimits } from './limits.ts'
import type { Log } from './log.ts'
import { modelEntry, modelList } from './models.ts'
import { openRefusals } from './record/refusals.ts'
import { relay } from './relay.ts'
import { openStations, type StationPorts } from './stations.ts'
import { Watch } from './watch.ts'

export interface RelayDeps {
  readonly books: Books
  readonly ledger: Ledger
  readonly egress: Pick<Egress, 'dispatcher' | 'exchange'>
  readonly clock: Clock
  readonly log: Log
  /** Uniform in [0, 1), for drawing channels. */
  readonly random?: () => number
  readonly limits?: Partial<RelayLimits>
  /** Asks streams for their usage even if the caller did not; default true. */
  readonly forcesUsage?: boolean
  /** The client's address after trusted proxies. */
  readonly clientAddress: (request: IncomingMessage) => string
  /** Who is signed in to the console; rejects with a Problem when nobody is, or not by a browser's session. */
  readonly identifySession: (request: IncomingMessage) => Promise<{ readonly userId: number }>
  /** Writes the new status and tells everybody; the roster here has changed already. */
  readonly disableChannel: (input: { channelId: number; reason: string }) => Promise<void>
  /** A token turned out to be expired (3) or used up (4), and its row should say so. */
  readonly markToken: (input: { tokenId: number; status: 3 | 4 }) => Promise<void>
  /** Error rows of calls that never had a hold. */
  readonly writeLogRows: (rows: readonly UsageLogRow[]) => Promise<void>
}

export interface RelayPort {
  /** Whether a request belongs to the relay, known route or not. */
  matches(method: string, url: string): boolean
  handle(request: IncomingMessage, response: ServerResponse): void
  /** Refuses new calls, waits for those under way, and ends what is left after `limitMs`. */
  drain(limitMs: number): Promise<void>
  /** Calls under way. */
  readonly inFlight: number
  /** Limits are watched by a timer; a test with a clock of its own calls this. */
  tick(): void
}

/** What is answered here, for a caller with a token. */
type OwnEntrance = Extract<Entrance, { type: 'models' | 'model' | 'count-tokens' }>

const JSON_TYPE = 'application/json; charset=utf-8'

export function createRelay(deps: RelayDeps): RelayPort {
  const { books, clock, log } = deps
  const watch = new Watch(clock, (error) => log.error({ error }, 'a call could not be watched'))
  const inFlight = new InFlight()
  const refusals = openRefusals(deps)
  const ports = portsOf(deps, { watch, inFlight })
  const stations = openStations(ports)

  function serve(call: Call, entrance: Entrance): Promise<void> {
    if (inFlight.isClosed) return Promise.reject(problem('gateway_stopping'))
    return entrance.type === 'call' ? relay(call, entrance, stations) : answer(call, entrance)
  }

  /** What no upstream is needed for. */
  async function answer(call: Call, entrance: Exclude<Entrance, CallEntrance>): Promise<void> {
    const path = normalisePath(call.request.url ?? '')
    if (entrance.type === 'unknown') throw problem('invalid_url', { method: call.request.method ?? '', path })
    if (entrance.type === 'preflight') return answerPreflight(call)
    const caller = authenticate(call, path, ports)
    if (entrance.type === 'not-implemented') throw problem('api_not_implemented')
    const text = await answerFor(call, entrance, caller)
    writeWhole(call, { status: 200, type: JSON_TYPE, body: Buffer.from(text) })
  }

  function answerFor(call: Call, entrance: OwnEntrance, caller: Caller): string | Promise<string> {
    if (entrance.type === 'count-tokens') {
      return countTokens(call, { entrance, caller, bytesMax: ports.limits.bodyBytesMax })
    }
    if (entrance.type === 'models') return modelList(caller, books, call.dialect)
    return modelEntry(caller, entrance.model, books, call.dialect)
  }

  function refuse(call: Call, thrown: unknown): void {
    if (thrown instanceof Problem) {
      refusals.note(call, thrown)
      return refuseWithProblem(call, thrown)
    }
    log.error({ error: thrown, requestId: call.id }, 'a call failed by a bug')
    refuseWithProblem(call, problem('internal_error'))
  }

  return {
    matches: (_method, url) => isRelayPath(url),
    handle: (request, response) => {
      const entrance = entranceOf(request.method ?? '', request.url ?? '')
      const isCrossOrigin = entrance.type !== 'call' || entrance.identity === 'token'
      const dialect = callerDialect(entrance, request)
      const call = new Call({ request, response, clock, isCrossOrigin, dialect })
      inFlight.track(serve(call, entrance).catch((error: unknown) => refuse(call, error)))
    },
    drain: async (limitMs) => {
      await inFlight.close(limitMs, () => watch.stopAll())
      watch.close()
      await refusals.close()
    },
    get inFlight() {
      return inFlight.size
    },
    tick: () => watch.tick(),
  }
}

/** What the stations need, defaults filled in. Effects outside of the books are started and not waited for. */
function portsOf(deps: RelayDeps, { watch, inFlight }: { watch: Watch; inFlight: InFlight }): StationPorts {
  const { books, clock, log } = deps
  const mark = (tokenId: number, status: 3 | 4): void => {
    const onError = (error: unknown) => log.warn({ error, tokenId }, 'a token was not marked')
    deps.markToken({ tokenId, status }).catch(onError)
  }
  return {
    ...deps,
    accessTokens: openTokens(deps),
    limits: { ...defaultRelayLimits, ...deps.limits },
    watch,
    track: (work) => inFlight.track(work),
    now: () => clock.monotonicMs(),
    random: deps.random ?? Math.random,
    forcesUsage: deps.forcesUsage ?? true,
    onTokenExpired: (tokenId) => mark(tokenId, 3),
    onTokenExhausted: (tokenId) => mark(tokenId, 4),
    onChannelRefused: (channelId, { code, status, detail }) => {
      books.withdrawChannel(channelId)
      const reason = `status ${status}, code ${code}: ${detail}`
      const onError = (error: unknown) =>
        log.error({ error, channelId }, 'a refused channel was not disabled')
      deps.disableChannel({ channelId, reason }).catch(onError)
    },
  }
}
