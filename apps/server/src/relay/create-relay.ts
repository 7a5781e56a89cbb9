import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Coordination } from '@tollgate/coordination/coordination'
import type { Egress } from '@tollgate/egress/egress'
import type { Clock } from '@tollgate/kit/clock'
import { Problem, problem } from '@tollgate/kit/problem'
import type { Cipher } from '@tollgate/kit/cipher'
import type { Ledger } from '@tollgate/ledger/ledger'
import type { TokenCache } from '@tollgate/providers/sign/token-cache'
import type { LogTextTable, UsageLogRow } from '@tollgate/store/schema'
import type { Snapshots } from '../snapshots/snapshots.ts'
import type { CredentialRefresh } from '../keys/credential-refresh.ts'
import { billingFigures } from './billing-figures.ts'
import { authenticate } from './admit/authenticate.ts'
import { BodyBudget } from './admit/body-budget.ts'
import { openCallSignatures } from './attempt/call-signatures.ts'
import type { Failure } from './attempt/failure.ts'
import { openRates } from './admit/rates.ts'
import { openTokenRates } from './admit/token-rates.ts'
import { Call } from './call.ts'
import { callerDialect } from './caller-dialect.ts'
import { countTokens } from './count-tokens.ts'
import type { Caller } from './admit/caller.ts'
import { answerPreflight } from './deliver/preflight.ts'
import { writeWhole } from './deliver/outlet.ts'
import { refuseWithProblem } from './deliver/refuse.ts'
import {
  entranceOf,
  isRelayPath,
  normalisePath,
  sessionEntranceOf,
  type CallEntrance,
  type Entrance,
} from './entrance.ts'
import { InFlight } from './in-flight.ts'
import { openTranscriptRecorder, type TranscriptRecorder } from './transcript/recorder.ts'
import { ChannelLessons } from './lessons/channel-lessons.ts'
import { defaultRelayLimits, type RelayLimits } from './limits.ts'
import type { Log } from './log.ts'
import { modelEntry, modelList } from './models.ts'
import { openRefusals } from './record/refusals.ts'
import { answerUpgrade } from './realtime/answer-upgrade.ts'
import { openUpgradeHandler } from './realtime/upgrade.ts'
import { relay } from './relay.ts'
import { KeyHealth } from './route/key-health.ts'
import { openStations, type StationPorts } from './stations.ts'
import type { TaskEntrance } from './tasks/entrance.ts'
import type { TaskServices } from './tasks/ports.ts'
import { openTaskServices } from './tasks/serve.ts'
import { openBodyReader } from './threads/body-reader.ts'
import { ChannelTraffic } from './traffic.ts'
import { Watch } from './watch.ts'

export interface RelayDeps {
  /** For how many calls a user makes. */
  readonly limiter: Coordination['limiter']
  /** For what upstreams want back of an earlier answer, and callers have no place for. */
  readonly ttlCache: Coordination['ttlCache']
  readonly snapshots: Snapshots
  readonly ledger: Ledger
  readonly egress: Pick<Egress, 'dispatcher' | 'exchange' | 'socket'>
  /** For addresses that callers name: it must reach nothing that is not public, whatever channels may reach. */
  readonly mediaEgress: Pick<Egress, 'exchange' | 'dispatcher'>
  /** For providers who take a token instead of the key; shared with who looks after tasks. */
  readonly accessTokens: TokenCache
  /** For providers whose keys end. */
  readonly credentialRefresh: Pick<CredentialRefresh, 'usable' | 'renew'>
  readonly clock: Clock
  readonly log: Log
  /** Uniform in [0, 1), for drawing channels. */
  readonly random?: () => number
  readonly limits?: Partial<RelayLimits>
  /** Asks streams for their usage even if the caller did not; default true. */
  readonly forcesUsage?: boolean
  /** The client's address after trusted proxies. */
  readonly clientAddress: (request: IncomingMessage) => string
  /** Counts what needs no upstream against the limit of the API; rejects with a Problem beyond it. Default: no limit. */
  readonly countAddress?: (address: string) => Promise<void>
  /** Counts a wrong API key; throws a Problem beyond the limit. Default: no limit. */
  readonly countWrongKey?: (address: string) => void
  /** Who is signed in to the console; rejects with a Problem when nobody is, or not by a browser's session. */
  readonly identifySession: (request: IncomingMessage) => Promise<{ readonly userId: number }>
  /** Writes the new status and tells everybody; the roster here has changed already. */
  readonly disableChannel: (input: { channelId: number; reason: string }) => Promise<void>
  /** The same for one key among several. */
  readonly disableKey: (input: { channelId: number; key: string; reason: string }) => Promise<void>
  /** What operators look at; kept by whoever shows it to them. */
  readonly health?: KeyHealth
  readonly traffic?: ChannelTraffic
  /** What refusals taught of channels; kept by whoever shows it to operators. */
  readonly lessons?: ChannelLessons
  /** A token turned out to be expired (3) or used up (4), and its row should say so. */
  readonly markToken: (input: { tokenId: number; status: 3 | 4 }) => Promise<void>
  /** Error rows of calls that never had a hold. */
  readonly writeLogRows: (rows: readonly UsageLogRow[]) => Promise<void>
  /** What was said in calls, where operators keep it; sealed. */
  readonly writeLogTexts: (rows: readonly LogTextTable[]) => Promise<void>
  readonly cipher: Pick<Cipher, 'encrypt'>
  /** For work that outlives its call. */
  readonly tasks: TaskServices
}

export interface RelayPort {
  /** Whether a request belongs to the relay, known route or not. */
  matches(method: string, url: string): boolean
  handle(request: IncomingMessage, response: ServerResponse): void
  /** A connection that wants to become a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Refuses new calls, waits for those under way, and ends what is left after `limitMs`. */
  drain(limitMs: number): Promise<void>
  /** Calls under way. */
  readonly inFlight: number
  /** Inflated bytes of their bodies. */
  readonly bodyBytes: number
  /** How often bodies and texts were read beside the event loop. */
  readonly readBeside: number
  /** Limits are watched by a timer; a test with a clock of its own calls this. */
  tick(): void
}

/** What is answered here, for a caller with a token. */
type OwnEntrance = Extract<Entrance, { type: 'models' | 'model' | 'count-tokens' | 'figures' }>

const JSON_TYPE = 'application/json; charset=utf-8'

export function createRelay(deps: RelayDeps): RelayPort {
  const { snapshots, clock, log } = deps
  const watch = new Watch(clock, (error) => log.error({ error }, 'a call could not be watched'))
  const inFlight = new InFlight()
  const refusals = openRefusals(deps)
  const transcripts = openTranscriptRecorder(deps)
  const ports = portsOf(deps, { watch, inFlight, transcripts })
  const stations = openStations(ports)
  const door = openUpgradeHandler()
  const serveTask = openTaskServices({
    ...ports,
    ...deps.tasks,
    egress: deps.egress,
    mediaEgress: deps.mediaEgress,
    onRefused: (call, refusal) => refusals.note(call, refusal),
  })

  function serve(call: Call, entrance: Entrance): Promise<void> {
    if (inFlight.isClosed) return Promise.reject(problem('gateway_stopping'))
    if (entrance.type === 'task') return serveTask(call, entrance)
    return entrance.type === 'call' ? relay(call, entrance, stations) : answer(call, entrance)
  }

  /** What no upstream is needed for. */
  async function answer(call: Call, entrance: Exclude<Entrance, CallEntrance | TaskEntrance>): Promise<void> {
    const path = normalisePath(call.request.url ?? '')
    if (entrance.type === 'unknown') throw problem('invalid_url', { method: call.request.method ?? '', path })
    if (entrance.type === 'preflight') return answerPreflight(call)
    if (entrance.type === 'post-only') throw postOnly(call.request, path)
    if (entrance.type === 'figures') await deps.countAddress?.(deps.clientAddress(call.request))
    const caller = authenticate(call, path, ports)
    if (entrance.type === 'not-implemented') throw problem('api_not_implemented')
    const text = await answerFor(call, entrance, caller)
    writeWhole(call, { status: 200, type: JSON_TYPE, body: Buffer.from(text) })
  }

  function answerFor(call: Call, entrance: OwnEntrance, caller: Caller): string | Promise<string> {
    if (entrance.type === 'count-tokens') {
      return countTokens({ call, entrance, caller, settings: snapshots.settings() }, ports)
    }
    if (entrance.type === 'figures') {
      return billingFigures({
        kind: entrance.kind,
        caller,
        ledger: deps.ledger,
        settings: snapshots.settings(),
      })
    }
    const { dialect } = call
    if (entrance.type === 'models') return modelList(caller, snapshots, { dialect, query: entrance.query })
    return modelEntry(caller, entrance.model, snapshots, dialect)
  }

  /** Never rejects. Whatever became of the call, its body is in flight no longer. */
  function served(call: Call, entrance: Entrance): Promise<void> {
    return serve(call, entrance).then(
      () => call.lease?.end(),
      (error: unknown) => {
        call.lease?.end()
        refuse(call, error)
      },
    )
  }

  function refuse(call: Call, thrown: unknown): void {
    call.counted?.failed()
    call.countedTokens?.used(0)
    if (thrown instanceof Problem) {
      refusals.note(call, thrown)
      return refuseWithProblem(call, thrown)
    }
    log.error({ error: thrown, requestId: call.id }, 'a call failed by a bug')
    refuseWithProblem(call, problem('internal_error'))
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const entrance = entranceOf(request.method ?? '', request.url ?? '')
    const isCrossOrigin = entrance.type !== 'call' || entrance.identity === 'token'
    const dialect = callerDialect(entrance, request)
    const call = new Call({ request, response, clock, isCrossOrigin, dialect })
    inFlight.track(served(call, entrance))
  }

  return {
    matches: (_method, url) => isRelayPath(url),
    handle,
    upgrade: (request, socket, head) => {
      const entrance = sessionEntranceOf(request.url ?? '')
      const isAnswered = entranceOf(request.method ?? '', request.url ?? '').type === 'post-only'
      if (isAnswered) return answerUpgrade({ request, socket }, handle)
      if (entrance === undefined) return door.refuse(socket)
      door.open({ request, socket, head }, (caller) => {
        const dialect = callerDialect(entrance, request)
        // It stands for the answer that a session does not have.
        const response = new ServerResponse(request)
        const call = new Call({ request, response, clock, isCrossOrigin: true, dialect, socket: caller })
        inFlight.track(served(call, entrance))
      })
    },
    drain: async (limitMs) => {
      await inFlight.close(limitMs, () => watch.stopAll())
      watch.close()
      await Promise.all([refusals.close(), transcripts.close(), ports.bodyReader.close()])
    },
    get bodyBytes() {
      return ports.bodies.used
    },
    get readBeside() {
      return ports.bodyReader.tasks
    },
    get inFlight() {
      return inFlight.size
    },
    tick: () => watch.tick(),
  }
}

/** Clients that would open a WebSocket send HTTP requests at once after 426; after 404 and 405 some try again. */
function postOnly({ headers }: IncomingMessage, path: string): Problem {
  // A proxy may have taken the `upgrade` header away.
  const isHandshake = headers['sec-websocket-key'] !== undefined
  return isHandshake
    ? problem('websocket_unsupported', { path })
    : problem('method_not_allowed', { path, allowed: 'POST' })
}

interface PortParts {
  readonly watch: Watch
  readonly inFlight: InFlight
  readonly transcripts: TranscriptRecorder
}

/** What the stations need, defaults filled in. Effects outside of the books are started and not waited for. */
function portsOf(deps: RelayDeps, parts: PortParts): StationPorts {
  const { watch, inFlight, transcripts } = parts
  const { snapshots, clock, log } = deps
  const limits = { ...defaultRelayLimits, ...deps.limits }
  const onMiscount = (error: unknown) => log.warn({ error }, 'a count of calls was not corrected')
  const mark = (tokenId: number, status: 3 | 4): void => {
    const onError = (error: unknown) => log.warn({ error, tokenId }, 'a token was not marked')
    deps.markToken({ tokenId, status }).catch(onError)
  }
  return {
    ...deps,
    rates: openRates(deps, onMiscount),
    tokenRates: openTokenRates(deps, onMiscount),
    callSignatures: openCallSignatures(deps),
    limits,
    bodies: new BodyBudget(limits),
    bodyReader: openBodyReader(log),
    watch,
    transcripts,
    track: (work) => inFlight.track(work),
    now: () => clock.monotonicMs(),
    random: deps.random ?? Math.random,
    health: deps.health ?? new KeyHealth(),
    traffic: deps.traffic ?? new ChannelTraffic(clock),
    lessons: deps.lessons ?? new ChannelLessons(deps),
    forcesUsage: deps.forcesUsage ?? true,
    onTokenExpired: (tokenId) => mark(tokenId, 3),
    onTokenExhausted: (tokenId) => mark(tokenId, 4),
    onKeyRefused: ({ channel, keyIndex }, failure) => {
      const input = { channelId: channel.id, key: channel.keys[keyIndex] ?? '', reason: reasonOf(failure) }
      const onError = (error: unknown) =>
        log.error({ error, channelId: channel.id }, 'a refused key was not disabled')
      deps.disableKey(input).catch(onError)
    },
    onChannelRefused: (channelId, failure) => {
      snapshots.withdrawChannel(channelId)
      const reason = reasonOf(failure)
      const onError = (error: unknown) =>
        log.error({ error, channelId }, 'a refused channel was not disabled')
      deps.disableChannel({ channelId, reason }).catch(onError)
    },
  }
}

function reasonOf({ status, code, detail }: Pick<Failure, 'code' | 'status' | 'detail'>): string {
  return `status ${status}, code ${code}: ${detail}`
}
