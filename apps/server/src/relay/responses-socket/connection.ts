import type { IncomingMessage } from 'node:http'
import { errorWords, type ErrorRequest } from '@tollgate/dialects/errors/render-error'
import { requestId } from '@tollgate/kit/ids'
import { Problem, problem } from '@tollgate/problems/problem'
import { requestLanguage } from '@tollgate/problems/request-language'
import { WebSocket, type RawData } from 'ws'
import { bytesOf } from '../realtime/pass-frame.ts'
import { CallerPings } from '../sockets/caller-pings.ts'
import { closeCode, closeSocket, dropSocket } from '../sockets/close-socket.ts'
import { FrameLease } from '../sockets/frame-lease.ts'
import type { OpenSocket, SocketSeat } from '../sockets/open-sockets.ts'
import type { SocketPermit } from '../sockets/socket-permit.ts'
import type { Caller } from '../stations/admit/caller.ts'
import type { Watched, Watching } from '../watch.ts'
import type { ConnectionApp } from './connection-app.ts'
import { Conversations } from './conversations.ts'
import { errorFrame } from './frame-error.ts'
import { Lanes } from './lanes.ts'
import { laneOf, readFrame, scanFrame, type TurnFrame } from './read-frame.ts'
import { Turn } from './turn.ts'
import { UpstreamSockets } from './upstream/upstream-sockets.ts'

export interface ConnectionInput {
  /** Paused until the connection listens. */
  readonly socket: WebSocket
  readonly handshake: IncomingMessage
  readonly caller: Caller
  readonly app: ConnectionApp
  readonly onClosed: (connection: Connection) => void
}

const NORMAL = 1000
const GOING_AWAY = 1001
const POLICY_VIOLATION = 1008
const HOUR_MS = 3_600_000
/** Frames refused one after the other, after which a caller is no longer listened to. */
const FAULTS_MAX = 16
/** Bytes of error frames that a caller may leave unread. */
const UNREAD_BYTES_MAX = 1024 * 1024

/** One WebSocket connection of the Responses API, from its handshake until it is closed. */
export class Connection implements Watched, OpenSocket {
  readonly permit: SocketPermit
  readonly #input: ConnectionInput
  readonly #id: string
  readonly #lanes = new Lanes()
  readonly #conversations: Conversations
  readonly #sockets: UpstreamSockets
  readonly #frames: FrameLease
  readonly #turns = new Set<Turn>()
  readonly #openedAt: number
  readonly #watching: Watching | undefined
  readonly #seat: SocketSeat
  readonly #pings: CallerPings
  #usedAt: number
  #isDraining = false
  /** Why the caller may send no further calls. */
  #revoked: Problem | undefined
  #isOver = false
  #faults = 0

  constructor(input: ConnectionInput) {
    const { socket, handshake, caller, app } = input
    const { id: userId } = caller.owner
    this.permit = { caller }
    this.#input = input
    this.#id = requestId(app.clock.nowMs())
    this.#openedAt = this.#usedAt = app.now()
    this.#pings = new CallerPings(socket, this.#openedAt)
    const { rememberedBytesMax: bytesMax } = app.limits
    this.#conversations = new Conversations({ userId, budget: app.memory, bytesMax })
    this.#sockets = new UpstreamSockets(app.openSocket)
    const lease = app.bodies.lease(userId)
    this.#frames = new FrameLease({
      connection: handshake.socket,
      lease,
      budget: app.frames,
      readStanding: () => app.sockets.readStanding(userId),
      now: app.now,
      onRefused: (error) => this.#endWith(error, dropSocket),
    })
    socket.on('message', (data, isBinary) => this.#received(data, isBinary))
    socket.once('close', () => {
      lease.end()
      this.#closed()
    })
    this.#seat = app.sockets.watch(this)
    this.#watching = app.watch.add(this)
    socket.resume()
  }

  tick(now: number): void {
    const { app } = this.#input
    this.#frames.tick(now)
    if (this.#lanes.isIdle && now - this.#openedAt >= HOUR_MS)
      return this.#endWith(problem('websocket_connection_limit_reached'))
    const { idleMs } = app.snapshots.settings().responsesSocket
    if (this.#turns.size === 0 && now - this.#usedAt >= idleMs) return this.#close(NORMAL)
    if (this.#pings.tick(now)) this.#sockets.ping()
  }

  /** Calls that have begun may end, as they would over HTTP; no other one begins. */
  revoke(reason: Problem): void {
    this.#revoked ??= reason
    if (this.#turns.size === 0) this.#endWith(this.#revoked)
  }

  /** The calls that are stopped at the same time send their errors first. */
  stopNow(): void {
    this.drain()
  }

  /** Closes the connection as soon as no response is running. */
  drain(): void {
    this.#isDraining = true
    this.#closeIfDrained()
  }

  #received(data: RawData, isBinary: boolean): void {
    const release = this.#frames.whole()
    this.#pings.hear()
    this.#usedAt = this.#input.app.now()
    let lane: string | undefined
    try {
      if (this.#isOver) return
      if (isBinary) throw problem('websocket_event_invalid')
      const frame = scanFrame(bytesOf(data))
      lane = laneOf(frame)
      this.#begin(readFrame(frame), lane)
      this.#faults = 0
    } catch (error) {
      this.#refuse(error, lane)
    } finally {
      // The call counts the bytes again, as those of its body.
      release?.()
    }
  }

  #begin(frame: TurnFrame, lane: string | undefined): void {
    const { handshake, caller, app, socket } = this.#input
    if (this.#revoked !== undefined) throw this.#revoked
    if (this.#isDraining) throw problem('gateway_stopping')
    if (app.now() - this.#openedAt >= HOUR_MS) throw problem('websocket_connection_limit_reached')
    this.#lanes.check(lane)
    const turn = new Turn({
      frame,
      lane,
      handshake,
      userId: caller.owner.id,
      app,
      connectionId: this.#id,
      conversations: this.#conversations,
      sockets: this.#sockets,
      send: (text, sent) => this.#send(text, sent),
      onLastEvent: () => this.#lanes.end(lane, turn),
      onGivenUp: () => socket.terminate(),
    })
    this.#lanes.begin(lane, turn)
    this.#turns.add(turn)
    app.inFlight.track(this.#run(turn, lane))
  }

  /** Never rejects. */
  async #run(turn: Turn, lane: string | undefined): Promise<void> {
    try {
      await turn.run()
    } catch (error) {
      this.#refuse(error, lane)
    }
    this.#lanes.end(lane, turn)
    this.#turns.delete(turn)
    this.#usedAt = this.#input.app.now()
    this.#closeIfDrained()
  }

  #closeIfDrained(): void {
    if (this.#turns.size > 0) return
    if (this.#revoked !== undefined) this.#endWith(this.#revoked)
    else if (this.#isDraining) this.#close(GOING_AWAY)
  }

  #send(text: string, sent: () => void): void {
    const { socket } = this.#input
    if (socket.readyState === WebSocket.OPEN) socket.send(text, sent)
    else sent()
  }

  /** Sends the error of a frame that began no call; the connection stays open, unless there were many. */
  #refuse(error: unknown, lane: string | undefined): void {
    const { socket, app } = this.#input
    const refusal = this.#problemOf(error)
    this.#send(this.#errorFrame(refusal, lane), () => undefined)
    if (refusal.code === 'websocket_connection_limit_reached' && this.#lanes.isIdle)
      return this.#close(NORMAL)
    if (++this.#faults >= FAULTS_MAX || socket.bufferedAmount > UNREAD_BYTES_MAX) {
      app.log.info({ requestId: this.#id, code: refusal.code }, 'closed a connection after invalid frames')
      this.#close(POLICY_VIOLATION)
    }
  }

  #endWith(error: unknown, close = closeSocket): void {
    if (this.#isOver) return
    this.#isOver = true
    const refusal = this.#problemOf(error)
    const { status, message } = errorWords(this.#errorRequest(refusal))
    this.#send(this.#errorFrame(refusal, undefined), () => undefined)
    const isNormal = refusal.code === 'websocket_connection_limit_reached'
    close(this.#input.socket, isNormal ? NORMAL : closeCode(status), message)
  }

  #problemOf(error: unknown): Problem {
    if (error instanceof Problem) return error
    this.#input.app.log.error({ error, requestId: this.#id }, 'a frame failed because of a bug')
    return problem('internal_error')
  }

  #errorFrame(refusal: Problem, lane: string | undefined): string {
    return errorFrame(this.#errorRequest(refusal), lane)
  }

  #errorRequest(refusal: Problem): ErrorRequest {
    const language = requestLanguage(this.#input.handshake.headers)
    return { problem: refusal, requestId: this.#id, language }
  }

  #close(code: number): void {
    if (this.#isOver) return
    this.#isOver = true
    closeSocket(this.#input.socket, code)
  }

  #closed(): void {
    const { onClosed } = this.#input
    this.#isOver = true
    this.#watching?.end()
    this.#seat.end()
    this.#conversations.clear()
    this.#sockets.close()
    for (const turn of this.#turns) turn.leave()
    onClosed(this)
  }
}
