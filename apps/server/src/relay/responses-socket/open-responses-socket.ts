import { ServerResponse } from 'node:http'
import { conversations } from '@tollgate/dialects/conversations'
import { problem } from '@tollgate/problems/problem'
import type { App, RelayDeps } from '../app.ts'
import { Call } from '../call.ts'
import { answerUpgrade } from '../realtime/answer-upgrade.ts'
import { openUpgradeHandler, type UpgradeRequest } from '../realtime/upgrade.ts'
import { relay } from '../relay.ts'
import type { CallRoute } from '../relay-route.ts'
import type { SocketSeat } from '../sockets/open-sockets.ts'
import { authenticate } from '../stations/admit/authenticate.ts'
import type { Caller } from '../stations/admit/caller.ts'
import { Connections } from './connections.ts'
import { openKeptResponses } from './kept-responses.ts'
import { MemoryBudget } from './memory-budget.ts'
import { HttpOnly } from './upstream/http-only.ts'
import { socketOpener } from './upstream/open-socket.ts'
import { warmUp } from './warm-up.ts'

export interface ResponsesSocket {
  /** Accepts a handshake, or refuses it with an HTTP response. */
  upgrade(upgrade: UpgradeRequest): void
  /** Closes every connection, each after its running responses. */
  drain(): void
  readonly connections: number
  readonly rememberedBytes: number
}

export interface ResponsesSocketDeps extends Pick<RelayDeps, 'ttlCache'> {
  readonly app: App
  /** The route of `POST /v1/responses`. */
  readonly route: CallRoute
  /** Ends a call with its work: its bytes are returned, and an error is sent. Never rejects. */
  readonly finished: (call: Call, work: Promise<void>) => Promise<void>
}

/** `GET /v1/responses` as a WebSocket: every `response.create` frame is one call. */
export function openResponsesSocket({
  app,
  route,
  finished,
  ttlCache,
}: ResponsesSocketDeps): ResponsesSocket {
  const { clock, inFlight, limits, snapshots } = app
  const upgrades = openUpgradeHandler(limits.bodyBytesMax)
  const memory = new MemoryBudget(limits)
  const connections = new Connections({
    ...app,
    memory,
    httpOnly: new HttpOnly(app.now),
    openSocket: socketOpener(app.egress, limits.answerBytesMax),
    keptResponses: openKeptResponses({ ttlCache }),
    serve: (call) => finished(call, relay(call, route, app)),
    warmUp: (call) => finished(call, warmUp(call, route, app)),
  })

  function admitted({ request }: UpgradeRequest) {
    if (snapshots.settings().responsesSocket.connectionsMax === 0)
      throw problem('websocket_unsupported', { path: route.path })
    if (inFlight.isClosed) throw problem('gateway_stopping')
    const caller = authenticate({ request, startedMs: clock.nowMs() }, route.path, app)
    connections.check(caller)
    return caller
  }

  function refused({ request, socket }: UpgradeRequest, error: unknown): void {
    answerUpgrade({ request, socket }, (_request, response: ServerResponse) => {
      const dialect = conversations.responses.caller
      const call = new Call({ request, response, clock, isCrossOrigin: true, dialect })
      inFlight.track(finished(call, Promise.reject(error)))
    })
  }

  function accept(upgrade: UpgradeRequest, caller: Caller, seat: SocketSeat): void {
    if (upgrade.socket.destroyed) return seat.end()
    upgrade.socket.once('close', () => seat.end())
    upgrades.open(upgrade, (socket) => connections.open(socket, upgrade.request, caller))
  }

  function acceptLater(upgrade: UpgradeRequest, caller: Caller, taking: Promise<SocketSeat>): void {
    // Nobody else listens meanwhile, and the caller may leave.
    upgrade.socket.on('error', () => upgrade.socket.destroy())
    void taking.then(
      (seat) => accept(upgrade, caller, seat),
      (error: unknown) => refused(upgrade, error),
    )
  }

  return {
    upgrade: (upgrade) => {
      try {
        const caller = admitted(upgrade)
        const seat = app.sockets.take(caller)
        if (seat instanceof Promise) acceptLater(upgrade, caller, seat)
        else accept(upgrade, caller, seat)
      } catch (error) {
        refused(upgrade, error)
      }
    },
    drain: () => connections.drain(),
    get connections() {
      return connections.size
    },
    get rememberedBytes() {
      return memory.used
    },
  }
}
