import type { IncomingMessage } from 'node:http'
import { requestId } from '@tollgate/kit/ids'
import { Problem, problem } from '@tollgate/problems/problem'
import { requestLanguage } from '@tollgate/problems/request-language'
import { WebSocket, type RawData } from 'ws'
import { FrameLease } from '../realtime/frame-lease.ts'
import { bytesOf } from '../realtime/pass-frame.ts'
import { closeSocket } from '../stations/deliver/session-end.ts'
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
  readonly userId: number
  readonly app: ConnectionApp
  readonly onClosed: (connection: Connection) => void
}

const NORMAL = 1000
const GOING_AWAY = 1001
const POLICY_VIOLATION = 1008
const HOUR_MS = 3_600_000
/** A caller that answers no ping for this long is gone, even if the socket is still open. */
const PING_MS = 30_000
/** Frames refused one after the other, after which a caller is no longer listened to. */
const FAULTS_MAX = 16
/** Bytes of error frames that a caller may leave unread. */
const UNREAD_BYTES_MAX = 1024 * 1024

/** One WebSocket connection of the Responses API, from its handshake until it is closed. */
export class Connection implements Watched {
  readonly #input: ConnectionInput
  readonly #id: string
  readonly #lanes = new Lanes()
  readonly #conversations: Conversations
  readonly #sockets: UpstreamSockets
  readonly #frames: FrameLease
  readonly #turns = new Set<Turn>()
  readonly #openedAt: number
  readonly #watching: Watching | undefined
  #usedAt: number
  #pingedAt: number
  #isAlive = true
  #isDraining = false
  #isOver = false
  #faults = 0

  constructor(input: ConnectionInput) {
    const { socket, handshake, userId, app } = input
    this.#input = input
    this.#id = requestId(app.clock.nowMs())
    this.#openedAt = this.#usedAt = this.#pingedAt = app.now()
    const { rememberedBytesMax: bytesMax } = app.limits
    this.#conversations = new Conversations({ userId, budget: app.memory, bytesMax })
    this.#sockets = new UpstreamSockets(app.openSocket)
    const lease = app.bodies.lease(userId)
    this.#frames = new FrameLease(handshake.socket, lease, (error) => this.#endWith(error))
    socket.on('message', (data, isBinary) => this.#received(data, isBinary))
    socket.on('pong', () => (this.#isAlive = true))
    socket.once('close', () => {
      lease.end()
      this.#closed()
    })
    this.#watching = app.watch.add(this)
    socket.resume()
  }

  tick(now: number): void {
    const { app, socket } = this.#input
    if (this.#lanes.isIdle && now - this.#openedAt >= HOUR_MS)
      return this.#endWith(problem('websocket_connection_limit_reached'))
    const { idleMs } = app.snapshots.settings().responsesSocket
    if (this.#turns.size === 0 && now - this.#usedAt >= idleMs) return this.#close(NORMAL)
    if (now - this.#pingedAt < PING_MS) return
    if (!this.#isAlive) return socket.terminate()
    this.#isAlive = false
    this.#pingedAt = now
    if (socket.readyState === WebSocket.OPEN) socket.ping()
    this.#sockets.ping()
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
    this.#isAlive = true
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
    const { handshake, userId, app, socket } = this.#input
    if (this.#isDraining) throw problem('gateway_stopping')
    if (app.now() - this.#openedAt >= HOUR_MS) throw problem('websocket_connection_limit_reached')
    this.#lanes.check(lane)
    const turn = new Turn({
      frame,
      lane,
      handshake,
      userId,
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
    if (this.#isDraining && this.#turns.size === 0) this.#close(GOING_AWAY)
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

  #endWith(error: unknown): void {
    if (this.#isOver) return
    const refusal = this.#problemOf(error)
    this.#send(this.#errorFrame(refusal, undefined), () => undefined)
    this.#close(refusal.code === 'websocket_connection_limit_reached' ? NORMAL : POLICY_VIOLATION)
  }

  #problemOf(error: unknown): Problem {
    if (error instanceof Problem) return error
    this.#input.app.log.error({ error, requestId: this.#id }, 'a frame failed because of a bug')
    return problem('internal_error')
  }

  #errorFrame(refusal: Problem, lane: string | undefined): string {
    const language = requestLanguage(this.#input.handshake.headers)
    return errorFrame({ problem: refusal, requestId: this.#id, language }, lane)
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
    this.#conversations.clear()
    this.#sockets.close()
    for (const turn of this.#turns) turn.leave()
    onClosed(this)
  }
}
