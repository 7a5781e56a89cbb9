import { isCount, modelLimits } from '@tollgate/billing/model-limits'
import { readCallerFrame, type CallerFrame } from '@tollgate/dialects/realtime/caller-frame'
import { TurnCounter } from '@tollgate/dialects/realtime/turns'
import { Problem, problem, type ProblemCode } from '@tollgate/problems/problem'
import { WebSocket, type RawData } from 'ws'
import type { AttemptApp } from '../app.ts'
import { textsIn } from '../stations/admit/texts-in.ts'
import { refuseWords, wordSearch } from '../stations/admit/words.ts'
import { closeSocket, closeWithError, sendError } from '../stations/deliver/session-end.ts'
import type { StreamEnd, Outcome, Route } from '../outcome.ts'
import type { Held } from '../stations/hold/held.ts'
import type { Watched, Watching } from '../watch.ts'
import { allowFrame } from './allowed-frame.ts'
import { FrameLease } from './frame-lease.ts'
import { bytesOf, pass } from './pass-frame.ts'
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
/**
 * A caller that does not answer a ping for this long is treated as gone, even if the socket is still open.
 */
const PING_MS = 30_000

/**
 * Passes frames between caller and upstream and counts the usage of each turn. It ends exactly once. A caller
 * that disconnects in the middle of a response gets the same drain time as for other responses.
 */
export class Session implements Watched {
  readonly ended: Promise<Outcome>
  readonly #input: SessionInput
  readonly #turns: TurnCounter
  readonly #meter: SessionMeter
  readonly #frames: FrameLease
  readonly #begunAt: number
  readonly #resolve: (exit: Outcome) => void
  readonly #watching: Watching | undefined
  #lastActivityAt: number
  #pingedAt: number
  #isAlive = true
  #isOver = false
  /** Set while an earlier frame is being searched for refused words. */
  #order: Promise<void> | undefined

  constructor(input: SessionInput) {
    const { held, app, route } = input
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.ended = promise
    this.#resolve = resolve
    this.#input = input
    const bounds = { limits: modelLimits(held.candidates.model), inputTokensCounted: 0, choices: 1 }
    this.#turns = new TurnCounter({ isCredible: (usage) => isCount(usage, bounds) })
    this.#begunAt = this.#lastActivityAt = this.#pingedAt = app.now()
    this.#meter = new SessionMeter({
      held,
      channelId: route.channel.id,
      ledger: app.ledger,
      onError: (error) =>
        app.log.warn(
          { error, requestId: held.call.id },
          'could not extend the hold of a session or write its checkpoint',
        ),
      onExhausted: () => this.#endWith('session_exhausted', 'cut'),
    })
    const { call, caller } = held
    call.lease = app.bodies.lease(caller.owner.id)
    this.#frames = new FrameLease(call.request.socket, call.lease, (error) => this.#refuse(error))
    this.#connect()
    this.#watching = app.watch.add(this)
  }

  tick(now: number): void {
    const { held, app, caller } = this.#input
    const { goneAt } = held.call
    if (goneAt !== undefined && now - goneAt >= app.limits.drainMs) return this.#end('cancelled')
    if (now - this.#begunAt >= app.limits.answerMs) return this.#endWith('session_over', 'complete')
    if (now - this.#lastActivityAt >= app.limits.firstByteMs) return this.#endWith('session_over', 'complete')
    if (now - this.#pingedAt < PING_MS || goneAt !== undefined) return
    if (!this.#isAlive) return caller.terminate()
    this.#isAlive = false
    this.#pingedAt = now
    if (caller.readyState === WebSocket.OPEN) caller.ping()
  }

  stopNow(): void {
    this.#endWith('gateway_stopping', 'cancelled')
  }

  #connect(): void {
    const { caller, upstream } = this.#input
    caller.on('message', (data, isBinary) => this.#fromCaller(data, isBinary))
    upstream.on('message', (data, isBinary) => this.#fromUpstream(data, isBinary))
    caller.on('pong', () => (this.#isAlive = true))
    // An error is always followed by `close`, which is handled below.
    for (const socket of [caller, upstream]) socket.on('error', () => undefined)
    caller.once('close', () => this.#callerLeft())
    upstream.once('close', (code) => this.#upstreamLeft(code))
    caller.resume()
    upstream.resume()
  }

  #fromCaller(data: RawData, isBinary: boolean): void {
    const passed = this.#frames.whole()
    if (this.#isOver) return passed?.()
    this.#keepAlive()
    const order = this.#order
    const step = () => this.#handOn(data, isBinary, passed)
    if (order !== undefined) return this.#wait(order.then(step))
    const searching = step()
    if (searching !== undefined) this.#wait(searching)
  }

  /** Later frames wait for this one, so that frames are passed on in order. */
  #wait(searching: Promise<void>): void {
    this.#input.caller.pause()
    const order = this.#searched(searching).finally(() => {
      if (this.#order !== order) return
      this.#order = undefined
      this.#input.caller.resume()
    })
    this.#order = order
  }

  async #searched(searching: Promise<void>): Promise<void> {
    const { app, held } = this.#input
    try {
      await searching
    } catch (error) {
      app.log.error({ error, requestId: held.call.id }, 'could not search a frame for refused words')
    }
  }

  /** Returns a promise when the frame is searched in a worker thread. */
  #handOn(data: RawData, isBinary: boolean, passed: (() => void) | undefined): Promise<void> | undefined {
    const { caller, upstream } = this.#input
    const sent = this.#isOver ? undefined : this.#read(data)
    const refuse = (error: unknown) => this.#refuseFrame(error, passed)
    try {
      const frame = sent && allowFrame(sent, this.#input)
      const go = () => {
        if (this.#isOver) return passed?.()
        if (frame !== undefined) this.#turns.fromCaller(frame)
        pass(frame === sent ? data : (frame?.bytes ?? data), { isBinary, from: caller, to: upstream, passed })
      }
      const searching = this.#search(frame)
      if (searching !== undefined) return searching.then(go, refuse)
      go()
    } catch (error) {
      refuse(error)
    }
    return undefined
  }

  /**
   * Binary frames are parsed too, because some upstreams treat them like text frames. Frames that are not
   * JSON give `undefined`.
   */
  #read(data: RawData): CallerFrame | undefined {
    try {
      return readCallerFrame(bytesOf(data))
    } catch (error) {
      this.#refuse(error)
      return undefined
    }
  }

  /** Ends the session because of a frame that is too large, or for which the budget has no room. */
  #refuse(error: unknown): void {
    if (!(error instanceof Problem)) throw error
    this.#endWith(error, this.#turns.isSpeaking ? 'broken' : 'complete')
  }

  #search(frame: CallerFrame | undefined): Promise<void> | undefined {
    const { held, app } = this.#input
    const { refusedWords } = held.settings
    if (refusedWords === undefined || frame === undefined) return undefined
    const text = textsIn(frame.event).join('\n')
    return refuseWords(text, wordSearch(refusedWords, held, app))
  }

  /**
   * An event that is refused, for a word or a member, is not passed on; the caller gets an error event and
   * the session goes on.
   */
  #refuseFrame(error: unknown, passed: (() => void) | undefined): void {
    passed?.()
    if (!(error instanceof Problem)) throw error
    const { held, caller } = this.#input
    const { id: requestId, language } = held.call
    sendError(caller, { problem: error, requestId, language })
  }

  #fromUpstream(data: RawData, isBinary: boolean): void {
    this.#keepAlive()
    const { held, caller, upstream, app } = this.#input
    held.call.firstByteAt ??= app.now()
    const turn = isBinary ? undefined : this.#turns.fromUpstream(textOf(data))
    if (turn !== undefined) this.#meter.add(turn)
    pass(data, { isBinary, from: upstream, to: caller })
    if (turn === undefined) return
    this.#meter.keepAhead()
    // A transcript may be ready before the response during which the caller left; wait for that response.
    if (held.call.isGone && !this.#turns.isSpeaking) this.#end('complete')
  }

  #keepAlive(): void {
    this.#lastActivityAt = this.#input.app.now()
    this.#isAlive = true
  }

  /**
   * A response that has begun is charged by the upstream's own usage, if that arrives within the drain time.
   */
  #callerLeft(): void {
    if (!this.#turns.isSpeaking) this.#leaveInOrder()
    else if (this.#input.upstream.readyState !== WebSocket.OPEN) this.#end('broken')
  }

  /** Leaving between two responses is the normal end of a session. */
  #leaveInOrder(): void {
    this.#input.held.call.goneAt = undefined
    this.#end('complete')
  }

  #upstreamLeft(code: number): void {
    const isInOrder = code === NORMAL && !this.#turns.isSpeaking
    if (isInOrder) this.#end('complete', code)
    else this.#endWith('stream_broken', this.#turns.isSpeaking ? 'broken' : 'complete')
  }

  #endWith(reason: ProblemCode | Problem, ending: StreamEnd): void {
    if (this.#isOver) return
    const refusal = reason instanceof Problem ? reason : problem(reason)
    const { held, caller } = this.#input
    const { id, language } = held.call
    closeWithError(caller, { problem: refusal, requestId: id, language })
    this.#end(ending)
  }

  #end(ending: StreamEnd, code = NORMAL): void {
    if (this.#isOver) return
    this.#isOver = true
    const { caller, upstream, route } = this.#input
    this.#watching?.end()
    for (const rest of [this.#turns.rest(), this.#turns.restOfTranscript()])
      if (rest !== undefined) this.#meter.add(rest)
    closeSocket(caller, code)
    closeSocket(upstream, NORMAL)
    const { usage, isEstimated } = this.#meter
    const reading = {
      usage,
      isEstimated,
      finish: undefined,
      outputTokensCounted: 0,
      hasOutput: usage !== undefined,
      isComplete: true,
      error: undefined,
    }
    // A session without usage costs nothing.
    const reported: StreamEnd = usage === undefined ? 'cancelled' : ending
    this.#resolve({ type: 'delivered', ending: reported, reading, ...route })
  }
}

function textOf(data: RawData): string {
  return bytesOf(data).toString()
}
