import { isCount, modelLimits } from '@tollgate/billing/model-limits'
import { type CallerFrame, isAnswerRequest, readCallerFrame } from '@tollgate/dialects/realtime/caller-frame'
import { TurnCounter } from '@tollgate/dialects/realtime/turns'
import { Problem, problem, type ProblemCode } from '@tollgate/problems/problem'
import { WebSocket, type RawData } from 'ws'
import type { AttemptApp } from '../app.ts'
import type { StreamEnd, Outcome, Route } from '../outcome.ts'
import { CallerPings } from '../sockets/caller-pings.ts'
import { closeSocket, closeWithError, dropWithError, sendError } from '../sockets/close-socket.ts'
import { FrameLease } from '../sockets/frame-lease.ts'
import type { OpenSocket, SocketSeat } from '../sockets/open-sockets.ts'
import type { SocketPermit } from '../sockets/socket-permit.ts'
import type { Held } from '../stations/hold/held.ts'
import type { Watched, Watching } from '../watch.ts'
import { allowFrame } from './allowed-frame.ts'
import { FrameOrder } from './frame-order.ts'
import { bytesOf, pass } from './pass-frame.ts'
import { searchFrame } from './search-frame.ts'
import { SessionMeter } from './session-meter.ts'

export interface SessionInput {
  readonly held: Held
  /** Both sockets are paused until the session begins. */
  readonly caller: WebSocket
  readonly upstream: WebSocket
  readonly app: AttemptApp
  readonly route: Route
}

const NORMAL = 1000
/** Answers and transcripts that a caller may have requested at a time, and that an upstream may have begun. */
const REQUESTED_MAX = 64
const OPEN_MAX = 1_024

/** Sends an error to the caller in one of several ways. */
type Farewell = typeof closeWithError

/**
 * Passes frames between caller and upstream and counts the usage of each turn. It ends exactly once. What is
 * under way when the caller leaves, or may not go on, gets the same drain time as other responses.
 */
export class Session implements Watched, OpenSocket {
  readonly ended: Promise<Outcome>
  readonly permit: SocketPermit
  readonly #input: SessionInput
  readonly #turns: TurnCounter
  readonly #meter: SessionMeter
  readonly #frames: FrameLease
  readonly #order: FrameOrder
  readonly #begunAt: number
  readonly #resolve: (exit: Outcome) => void
  readonly #watching: Watching | undefined
  readonly #seat: SocketSeat
  readonly #pings: CallerPings
  #lastActivityAt: number
  /** When the caller left, or was sent away. */
  #leftAt: number | undefined
  #isSentAway = false
  #isOver = false

  constructor(input: SessionInput) {
    const { held, app, route, caller } = input
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.ended = promise
    this.#resolve = resolve
    this.#input = input
    const bounds = { limits: modelLimits(held.candidates.model), inputTokensCounted: 0, choices: 1 }
    this.#turns = new TurnCounter({ isCredible: (usage) => isCount(usage, bounds) })
    this.#begunAt = this.#lastActivityAt = app.now()
    this.#pings = new CallerPings(caller, this.#begunAt)
    const warn = (message: string) => (error: unknown) =>
      app.log.warn({ error, requestId: held.call.id }, message)
    this.#meter = new SessionMeter({
      held,
      channelId: route.channel.id,
      ledger: app.ledger,
      onError: warn('could not extend the hold of a session or write its checkpoint'),
    })
    this.#order = new FrameOrder(caller, warn('could not hand on a frame of a session'))
    const { call } = held
    call.lease = app.bodies.lease(held.caller.owner.id)
    this.#frames = new FrameLease({
      connection: call.request.socket,
      lease: call.lease,
      budget: app.frames,
      readStanding: () => app.sockets.readStanding(held.caller.owner.id),
      now: app.now,
      onRefused: (error) => this.#refuse(error, dropWithError),
    })
    const session = { model: held.ask.model, group: held.group, channelId: route.channel.id }
    this.permit = { caller: held.caller, session }
    this.#connect()
    this.#seat = app.sockets.watch(this)
    this.#watching = app.watch.add(this)
  }

  tick(now: number): void {
    const { app } = this.#input
    const { drainMs, answerMs, firstByteMs } = app.limits
    if (this.#leftAt !== undefined) {
      if (!this.#turns.isBusy) this.#end('complete')
      else if (now - this.#leftAt >= drainMs) this.#end('cancelled')
      return
    }
    this.#turns.forgetRequests(now - drainMs)
    const isTooLong = now - this.#begunAt >= answerMs || now - this.#lastActivityAt >= firstByteMs
    if (isTooLong) return this.#endWith('session_over', this.#turns.isBusy ? 'cancelled' : 'complete')
    this.#frames.tick(now)
    this.#pings.tick(now)
  }

  stopNow(): void {
    this.#endWith('gateway_stopping', 'cancelled')
  }

  /** What the upstream has begun is still charged by its own usage. */
  revoke(reason: Problem): void {
    if (this.#isOver || this.#leftAt !== undefined) return
    this.#isSentAway = true
    this.#sayFarewell(reason, closeWithError)
    this.#callerLeft()
  }

  #connect(): void {
    const { caller, upstream } = this.#input
    caller.on('message', (data, isBinary) => this.#fromCaller(data, isBinary))
    upstream.on('message', (data, isBinary) => this.#fromUpstream(data, isBinary))
    // An error is always followed by `close`, which is handled below.
    caller.on('error', () => undefined)
    upstream.on('error', () => upstream.terminate())
    caller.once('close', () => this.#callerLeft())
    upstream.once('close', (code) => this.#upstreamLeft(code))
    caller.resume()
    upstream.resume()
  }

  #fromCaller(data: RawData, isBinary: boolean): void {
    const passed = this.#frames.whole()
    if (this.#isOver || this.#leftAt !== undefined) return passed?.()
    this.#keepAlive()
    this.#order.run(() => this.#handOn(data, isBinary, passed))
  }

  /** Returns a promise when the frame waits for a search in a worker thread, or for the ledger. */
  #handOn(data: RawData, isBinary: boolean, passed: (() => void) | undefined): Promise<void> | undefined {
    const sent = this.#isOver ? undefined : this.#read(data)
    const refuse = (error: unknown) => this.#refuseFrame(error, passed)
    const { held, app } = this.#input
    try {
      const frame = sent && allowFrame(sent, this.#input)
      const bytes = frame === sent ? data : (frame?.bytes ?? data)
      const go = (isPaid: boolean) => {
        if (!isPaid) throw problem('session_exhausted')
        this.#send(bytes, { frame, isBinary, passed })
      }
      const pay = () => {
        const paying = frame === undefined || this.#pay(frame)
        return paying instanceof Promise ? paying.then(go) : go(paying)
      }
      const searching = frame && searchFrame(frame, held, app)
      const waiting = searching?.then(pay) ?? pay()
      if (waiting !== undefined) return waiting.then(undefined, refuse)
    } catch (error) {
      refuse(error)
    }
    return undefined
  }

  /** Sets quota aside for an answer before it is requested of the upstream. */
  #pay(frame: CallerFrame): boolean | Promise<boolean> {
    if (!isAnswerRequest(frame)) return true
    const turns = this.#turns.openTurns + 1
    if (turns > REQUESTED_MAX) throw problem('session_answers_reached', { max: REQUESTED_MAX })
    return this.#meter.cover(turns)
  }

  #send(
    data: RawData,
    to: { frame: CallerFrame | undefined; isBinary: boolean; passed: (() => void) | undefined },
  ): void {
    const { frame, isBinary, passed } = to
    const { caller, upstream, app } = this.#input
    if (this.#isOver || upstream.readyState !== WebSocket.OPEN) return passed?.()
    if (frame !== undefined) this.#turns.fromCaller(frame, app.now())
    pass(data, { isBinary, from: caller, to: upstream, passed })
  }

  /**
   * Binary frames are parsed too, because some upstreams treat them like text frames. Frames that are not
   * JSON give `undefined`.
   */
  #read(data: RawData): CallerFrame | undefined {
    try {
      return readCallerFrame(bytesOf(data))
    } catch (error) {
      this.#refuse(error, closeWithError)
      return undefined
    }
  }

  /** Ends the session because of a frame that is too large, or for which the budget has no room. */
  #refuse(error: unknown, farewell: Farewell): void {
    if (!(error instanceof Problem)) throw error
    this.#endWith(error, this.#turns.isBusy ? 'broken' : 'complete', farewell)
  }

  /** An event that is refused is not passed on; the caller gets an error event and the session goes on. */
  #refuseFrame(error: unknown, passed: (() => void) | undefined): void {
    passed?.()
    if (!(error instanceof Problem)) throw error
    this.#sayFarewell(error, sendError)
  }

  /** Binary frames are read too: the upstream charges for what they say as for any other. */
  #fromUpstream(data: RawData, isBinary: boolean): void {
    this.#keepAlive()
    const { held, caller, upstream, app } = this.#input
    held.call.firstByteAt ??= app.now()
    const turn = this.#turns.fromUpstream(bytesOf(data).toString())
    if (turn !== undefined) this.#meter.add(turn)
    pass(data, { isBinary, from: upstream, to: caller })
    if (this.#turns.openTurns > OPEN_MAX) return this.#endWith('stream_broken', 'broken')
    if (this.#leftAt !== undefined && !this.#turns.isBusy) return this.#end('complete')
    if (turn !== undefined) this.#payNext()
  }

  /** Keeps the hold ahead of the turns under way, or one turn ahead. */
  #payNext(): void {
    const note = (isPaid: boolean) => {
      if (!isPaid) this.#endWith('session_exhausted', 'cut')
    }
    const paying = this.#meter.cover(Math.max(1, this.#turns.openTurns))
    if (paying instanceof Promise) void paying.then(note)
    else note(paying)
  }

  #keepAlive(): void {
    this.#lastActivityAt = this.#input.app.now()
    this.#pings.hear()
  }

  /**
   * What has begun or was requested is charged by the upstream's own usage, if that arrives within the drain
   * time. Leaving between two answers is the normal end of a session.
   */
  #callerLeft(): void {
    this.#leftAt ??= this.#input.app.now()
    if (!this.#turns.isBusy) this.#leaveInOrder()
    else if (this.#input.upstream.readyState !== WebSocket.OPEN) this.#end('broken')
  }

  #leaveInOrder(): void {
    this.#input.held.call.goneAt = undefined
    this.#end('complete')
  }

  #upstreamLeft(code: number): void {
    const isInOrder = code === NORMAL && !this.#turns.hasBegun
    if (isInOrder) this.#end('complete', code)
    else if (this.#leftAt !== undefined) this.#end(this.#turns.hasBegun ? 'broken' : 'complete')
    else this.#endWith('stream_broken', this.#turns.hasBegun ? 'broken' : 'complete')
  }

  #endWith(reason: ProblemCode | Problem, ending: StreamEnd, farewell: Farewell = closeWithError): void {
    if (this.#isOver) return
    this.#sayFarewell(reason instanceof Problem ? reason : problem(reason), farewell)
    this.#end(ending)
  }

  #sayFarewell(reason: Problem, say: Farewell | typeof sendError): void {
    const { held, caller } = this.#input
    const { id: requestId, language } = held.call
    say(caller, { problem: reason, requestId, language })
  }

  #end(ending: StreamEnd, code = NORMAL): void {
    if (this.#isOver) return
    this.#isOver = true
    const { caller, upstream } = this.#input
    this.#watching?.end()
    this.#seat.end()
    this.#frames.end()
    const hasUpstreamLeft = upstream.readyState !== WebSocket.OPEN
    const requested = hasUpstreamLeft ? [] : this.#turns.requested()
    for (const turn of [...this.#turns.begun(), ...requested]) this.#meter.add(turn)
    closeSocket(caller, code)
    closeSocket(upstream, NORMAL)
    if (this.#isSentAway) this.#input.held.call.goneAt = undefined
    const paid = this.#meter.cover(0)
    if (paid instanceof Promise) void paid.then(() => this.#report(ending))
    else this.#report(ending)
  }

  #report(ending: StreamEnd): void {
    const { reading } = this.#meter
    // A session without usage costs nothing.
    const settledEnding: StreamEnd = reading.hasOutput ? ending : 'cancelled'
    this.#resolve({ type: 'delivered', ending: settledEnding, reading, ...this.#input.route })
  }
}
