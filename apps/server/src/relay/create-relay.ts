import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem, problem } from '@tollgate/problems/problem'
import type { ProbePort } from '../ports/channel-probe.ts'
import { answerRequest } from './answer-request.ts'
import { openApp, type RelayDeps } from './app.ts'
import { readProblemCause } from './failure-log.ts'
import { Call } from './call.ts'
import { callerDialect } from './caller-dialect.ts'
import { createCostCheck, openProbe } from './probe/index.ts'
import { openUpgradeHandler } from './realtime/upgrade.ts'
import { openResponsesSocket } from './responses-socket/open-responses-socket.ts'
import { relay } from './relay.ts'
import { isRelayPath, relayRouteOf, responsesRoute, sessionRouteOf, type RelayRoute } from './relay-route.ts'
import { RefusedToken } from './refused-token.ts'
import { refuseWithProblem } from './stations/deliver/refuse.ts'
import { RefusedCall } from './stations/record/refusals.ts'
import { openTaskServices } from './tasks/serve.ts'

export interface RelayPort extends ProbePort {
  /** Whether the relay handles this URL, even if the route is unknown. */
  matches(method: string, url: string): boolean
  /** Returns the id of the call. */
  handle(request: IncomingMessage, response: ServerResponse): string
  /** Handles a websocket upgrade request. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Refuses new calls, waits for those under way, and aborts what is left after `limitMs`. */
  drain(limitMs: number): Promise<void>
  /** Number of calls under way. */
  readonly inFlight: number
  /** Inflated bytes of the bodies of calls under way. */
  readonly bodyBytes: number
  /** Bytes of answers that callers have not taken yet. */
  readonly answerBytes: number
  /** Bytes of frames of callers that have not arrived whole. */
  readonly frameBytes: number
  /** Open WebSocket connections of the Responses API, and the bytes of the conversations they remember. */
  readonly sockets: number
  readonly rememberedBytes: number
  /** Number of bodies and texts that were read in worker threads. */
  readonly readsInThreads: number
  /** Checks time limits. A timer calls it in production; tests with a fake clock call it themselves. */
  tick(): void
}

/** Longest frame of a realtime session; audio arrives in frames far smaller than this. */
const FRAME_BYTES_MAX = 16 * 1024 * 1024

export function createRelay(deps: RelayDeps): RelayPort {
  const app = openApp(deps)
  const { clock, log, inFlight, refusals, tokenRefusals, failureLog, watch } = app
  const upgrades = openUpgradeHandler(FRAME_BYTES_MAX)
  const serveTask = openTaskServices(app)
  const { ttlCache } = deps
  const responsesSocket = openResponsesSocket({ app, route: responsesRoute, finished, ttlCache })

  function serve(call: Call, relayRoute: RelayRoute): Promise<void> {
    if (inFlight.isClosed) return Promise.reject(problem('gateway_stopping'))
    if (relayRoute.type === 'task') return serveTask(call, relayRoute)
    return relayRoute.type === 'call' ? relay(call, relayRoute, app) : answerRequest(call, relayRoute, app)
  }

  /** Never rejects. In any case the call's body and answer are returned to their budgets. */
  function finished(call: Call, work: Promise<void>): Promise<void> {
    return work.then(
      () => {
        release(call)
        return app.tracing?.of(call)?.end(app.now())
      },
      (error: unknown) => {
        release(call)
        refuse(call, error)
        return app.tracing?.of(call)?.end(app.now(), error instanceof Problem ? error.code : 'internal_error')
      },
    )
  }

  function refuse(call: Call, thrown: unknown): void {
    call.counted?.failed()
    call.countedTokens?.used(0)
    if (thrown instanceof Problem) {
      app.metrics.refused(thrown.code)
      failureLog.callFailed(call, readProblemCause(thrown))
      countRefusal(thrown)
      return refuseWithProblem(call, thrown)
    }
    app.metrics.refused('internal_error')
    log.error({ error: thrown, requestId: call.id }, 'a call failed because of a bug')
    refuseWithProblem(call, problem('internal_error'))
  }

  function countRefusal(refusal: Problem): void {
    const { code } = refusal
    if (refusal instanceof RefusedToken) return tokenRefusals.note({ ...refusal.source, code, hasRow: false })
    if (!(refusal instanceof RefusedCall)) return
    const hasRow = refusals.note(refusal.known, refusal)
    const { token, address } = refusal.known.caller
    if (token !== undefined) tokenRefusals.note({ token, address, code, hasRow })
  }

  function handle(request: IncomingMessage, response: ServerResponse): string {
    const relayRoute = relayRouteOf(request.method ?? '', request.url ?? '')
    const isCrossOrigin = relayRoute.type !== 'call' || relayRoute.identity === 'token'
    const dialect = callerDialect(relayRoute, request)
    const call = new Call({ request, response, clock, isCrossOrigin, dialect })
    inFlight.track(finished(call, serve(call, relayRoute)))
    return call.id
  }

  return {
    matches: (_method, url) => isRelayPath(url),
    handle,
    upgrade: (request, socket, head) => {
      const relayRoute = sessionRouteOf(request.url ?? '')
      const isResponses = relayRouteOf(request.method ?? '', request.url ?? '').type === 'post-or-socket'
      if (isResponses) return responsesSocket.upgrade({ request, socket, head })
      if (relayRoute === undefined) return upgrades.refuse(socket)
      upgrades.open({ request, socket, head }, (caller) => {
        const dialect = callerDialect(relayRoute, request)
        // A placeholder, because a realtime session has no HTTP response.
        const response = new ServerResponse(request)
        const call = new Call({ request, response, clock, isCrossOrigin: true, dialect, socket: caller })
        inFlight.track(finished(call, serve(call, relayRoute)))
      })
    },
    drain: async (limitMs) => {
      responsesSocket.drain()
      await inFlight.close(limitMs, () => watch.stopAll())
      // Upstreams may still be ending responses that are done.
      watch.stopAll()
      watch.close()
      failureLog.close()
      await Promise.all([
        refusals.close(),
        tokenRefusals.close(),
        app.transcripts.close(),
        app.bodyReader.close(),
      ])
    },
    get bodyBytes() {
      return app.bodies.used
    },
    get answerBytes() {
      return app.answers.budget.used
    },
    get frameBytes() {
      return app.frames.used
    },
    get sockets() {
      return responsesSocket.connections
    },
    get rememberedBytes() {
      return responsesSocket.rememberedBytes
    },
    get readsInThreads() {
      return app.bodyReader.tasks
    },
    get inFlight() {
      return inFlight.size
    },
    tick: () => watch.tick(),
    probe: openProbe(app),
    isCostlyProbe: createCostCheck(app),
  }
}

function release({ lease, room }: Call): void {
  lease?.end()
  room?.end()
}
