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
import { authenticate } from './stations/admit/authenticate.ts'
import { BodyBudget } from './stations/admit/body-budget.ts'
import { openCallSignatures } from './stations/attempt/call-signatures.ts'
import type { Failure } from './stations/attempt/failure.ts'
import { openRates } from './stations/admit/rates.ts'
import { openTokenRates } from './stations/admit/token-rates.ts'
import { Call } from './call.ts'
import { callerDialect } from './caller-dialect.ts'
import { countTokens } from './count-tokens.ts'
import type { Caller } from './stations/admit/caller.ts'
import { answerPreflight } from './stations/deliver/preflight.ts'
import { writeWhole } from './stations/deliver/outlet.ts'
import { refuseWithProblem } from './stations/deliver/refuse.ts'
import {
  relayRouteOf,
  isRelayPath,
  normalisePath,
  sessionRouteOf,
  type CallRoute,
  type RelayRoute,
} from './relay-route.ts'
import { InFlight } from './in-flight.ts'
import { openTranscriptRecorder, type TranscriptRecorder } from './transcript/recorder.ts'
import { ChannelLessons } from './lessons/channel-lessons.ts'
import { defaultRelayLimits, type RelayLimits } from './limits.ts'
import type { Log } from './log.ts'
import { modelEntry, modelList } from './models.ts'
import { openRefusals } from './stations/record/refusals.ts'
import { answerUpgrade } from './realtime/answer-upgrade.ts'
import { openUpgradeHandler } from './realtime/upgrade.ts'
import { relay } from './relay.ts'
import { KeyHealth } from './stations/route/key-health.ts'
import { openStations, type StationPorts } from './stations.ts'
import type { TaskRelayRoute } from './tasks/task-route.ts'
import type { TaskServices } from './tasks/ports.ts'
import { openTaskServices } from './tasks/serve.ts'
import { openBodyReader } from './threads/body-reader.ts'
import { ChannelTraffic } from './traffic.ts'
import { Watch } from './watch.ts'

export interface RelayDeps {
  /** For limits on the number of calls per user. */
  readonly limiter: Coordination['limiter']
  /** For signatures of earlier responses that upstreams require back and callers cannot send. */
  readonly ttlCache: Coordination['ttlCache']
  readonly snapshots: Snapshots
  readonly ledger: Ledger
  readonly egress: Pick<Egress, 'dispatcher' | 'exchange' | 'socket'>
  /** For addresses given by callers: must reach public addresses only, even if channels may reach others. */
  readonly mediaEgress: Pick<Egress, 'exchange' | 'dispatcher'>
  /** For providers that exchange the key for an access token; shared with the task poller. */
  readonly accessTokens: TokenCache
  /** For providers whose keys expire. */
  readonly credentialRefresh: Pick<CredentialRefresh, 'usable' | 'renew'>
  readonly clock: Clock
  readonly log: Log
  /** Uniform in [0, 1), for the random choice of channels. */
  readonly random?: () => number
  readonly limits?: Partial<RelayLimits>
  /** Requests usage from streams even if the caller did not; default true. */
  readonly forcesUsage?: boolean
  /** The client's address as determined after trusted proxies. */
  readonly clientAddress: (request: IncomingMessage) => string
  /**
   * Counts requests that need no upstream against the API rate limit; rejects with a Problem beyond it.
   * Default: no limit.
   */
  readonly countAddress?: (address: string) => Promise<void>
  /** Counts a wrong API key; throws a Problem beyond the limit. Default: no limit. */
  readonly countWrongKey?: (address: string) => void
  /**
   * The user signed in to the console. Rejects with a Problem when there is no session, or when the
   * credential is not a browser session.
   */
  readonly identifySession: (request: IncomingMessage) => Promise<{ readonly userId: number }>
  /**
   * Writes the channel's new status and publishes the change; the roster of this process has already been
   * changed.
   */
  readonly disableChannel: (input: { channelId: number; reason: string }) => Promise<void>
  /** Does the same for one of several keys. */
  readonly disableKey: (input: { channelId: number; key: string; reason: string }) => Promise<void>
  /** Traffic per channel, for operators; owned by the code that shows it. */
  readonly health?: KeyHealth
  readonly traffic?: ChannelTraffic
  /** Lessons learned from refusals; owned by the code that shows them to operators. */
  readonly lessons?: ChannelLessons
  /** Called when a token turns out to be expired (3) or used up (4), so that its row can be marked. */
  readonly markToken: (input: { tokenId: number; status: 3 | 4 }) => Promise<void>
  /** Writes error rows for calls that never had a hold. */
  readonly writeLogRows: (rows: readonly UsageLogRow[]) => Promise<void>
  /** Writes the encrypted texts of calls, where the operator keeps them. */
  readonly writeLogTexts: (rows: readonly LogTextTable[]) => Promise<void>
  readonly cipher: Pick<Cipher, 'encrypt'>
  /** For asynchronous tasks, which outlive their call. */
  readonly tasks: TaskServices
}

export interface RelayPort {
  /** Whether the relay handles this URL, even if the route is unknown. */
  matches(method: string, url: string): boolean
  handle(request: IncomingMessage, response: ServerResponse): void
  /** Handles a websocket upgrade request. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Refuses new calls, waits for those under way, and aborts what is left after `limitMs`. */
  drain(limitMs: number): Promise<void>
  /** Number of calls under way. */
  readonly inFlight: number
  /** Inflated bytes of the bodies of calls under way. */
  readonly bodyBytes: number
  /** Number of bodies and texts that were read in worker threads. */
  readonly readsInThreads: number
  /** Checks time limits. A timer calls it in production; tests with a fake clock call it themselves. */
  tick(): void
}

/** Requests with a token that the gateway answers without an upstream. */
type OwnEntrance = Extract<RelayRoute, { type: 'models' | 'model' | 'count-tokens' | 'figures' }>

const JSON_TYPE = 'application/json; charset=utf-8'

export function createRelay(deps: RelayDeps): RelayPort {
  const { snapshots, clock, log } = deps
  const watch = new Watch(clock, (error) => log.error({ error }, 'a time limit check of a call failed'))
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

  function serve(call: Call, relayRoute: RelayRoute): Promise<void> {
    if (inFlight.isClosed) return Promise.reject(problem('gateway_stopping'))
    if (relayRoute.type === 'task') return serveTask(call, relayRoute)
    return relayRoute.type === 'call' ? relay(call, relayRoute, stations) : answer(call, relayRoute)
  }

  /** Answers requests that need no upstream. */
  async function answer(
    call: Call,
    relayRoute: Exclude<RelayRoute, CallRoute | TaskRelayRoute>,
  ): Promise<void> {
    const path = normalisePath(call.request.url ?? '')
    if (relayRoute.type === 'unknown')
      throw problem('invalid_url', { method: call.request.method ?? '', path })
    if (relayRoute.type === 'preflight') return answerPreflight(call)
    if (relayRoute.type === 'post-only') throw postOnly(call.request, path)
    if (relayRoute.type === 'figures') await deps.countAddress?.(deps.clientAddress(call.request))
    const caller = authenticate(call, path, ports)
    if (relayRoute.type === 'not-implemented') throw problem('api_not_implemented')
    const text = await answerFor(call, relayRoute, caller)
    writeWhole(call, { status: 200, type: JSON_TYPE, body: Buffer.from(text) })
  }

  function answerFor(call: Call, relayRoute: OwnEntrance, caller: Caller): string | Promise<string> {
    if (relayRoute.type === 'count-tokens') {
      return countTokens({ call, relayRoute, caller, settings: snapshots.settings() }, ports)
    }
    if (relayRoute.type === 'figures') {
      return billingFigures({
        kind: relayRoute.kind,
        caller,
        ledger: deps.ledger,
        settings: snapshots.settings(),
      })
    }
    const { dialect } = call
    if (relayRoute.type === 'models')
      return modelList(caller, snapshots, { dialect, query: relayRoute.query })
    return modelEntry(caller, relayRoute.model, snapshots, dialect)
  }

  /** Never rejects. In any case the call's body is returned to the budget. */
  function served(call: Call, relayRoute: RelayRoute): Promise<void> {
    return serve(call, relayRoute).then(
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
    log.error({ error: thrown, requestId: call.id }, 'a call failed because of a bug')
    refuseWithProblem(call, problem('internal_error'))
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const relayRoute = relayRouteOf(request.method ?? '', request.url ?? '')
    const isCrossOrigin = relayRoute.type !== 'call' || relayRoute.identity === 'token'
    const dialect = callerDialect(relayRoute, request)
    const call = new Call({ request, response, clock, isCrossOrigin, dialect })
    inFlight.track(served(call, relayRoute))
  }

  return {
    matches: (_method, url) => isRelayPath(url),
    handle,
    upgrade: (request, socket, head) => {
      const relayRoute = sessionRouteOf(request.url ?? '')
      const isAnswered = relayRouteOf(request.method ?? '', request.url ?? '').type === 'post-only'
      if (isAnswered) return answerUpgrade({ request, socket }, handle)
      if (relayRoute === undefined) return door.refuse(socket)
      door.open({ request, socket, head }, (caller) => {
        const dialect = callerDialect(relayRoute, request)
        // A placeholder, because a realtime session has no HTTP response.
        const response = new ServerResponse(request)
        const call = new Call({ request, response, clock, isCrossOrigin: true, dialect, socket: caller })
        inFlight.track(served(call, relayRoute))
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
    get readsInThreads() {
      return ports.bodyReader.tasks
    },
    get inFlight() {
      return inFlight.size
    },
    tick: () => watch.tick(),
  }
}

/**
 * A client that wants a WebSocket falls back to HTTP at once after 426; after 404 or 405 some clients retry
 * the upgrade.
 */
function postOnly({ headers }: IncomingMessage, path: string): Problem {
  // Checked by the key header, because a proxy may have removed `upgrade`.
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

/**
 * The dependencies of the stations, with defaults. Side effects outside the snapshots are started but not
 * awaited.
 */
function portsOf(deps: RelayDeps, parts: PortParts): StationPorts {
  const { watch, inFlight, transcripts } = parts
  const { snapshots, clock, log } = deps
  const limits = { ...defaultRelayLimits, ...deps.limits }
  const onMiscount = (error: unknown) => log.warn({ error }, 'could not correct a rate limit count')
  const mark = (tokenId: number, status: 3 | 4): void => {
    const onError = (error: unknown) =>
      log.warn({ error, tokenId }, 'could not mark a token as expired or used up')
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
        log.error({ error, channelId: channel.id }, 'could not disable a key that its upstream refused')
      deps.disableKey(input).catch(onError)
    },
    onChannelRefused: (channelId, failure) => {
      snapshots.withdrawChannel(channelId)
      const reason = reasonOf(failure)
      const onError = (error: unknown) =>
        log.error({ error, channelId }, 'could not disable a channel that its upstream refused')
      deps.disableChannel({ channelId, reason }).catch(onError)
    },
  }
}

function reasonOf({ status, code, detail }: Pick<Failure, 'code' | 'status' | 'detail'>): string {
  return `status ${status}, code ${code}: ${detail}`
}
