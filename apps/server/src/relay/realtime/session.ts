import { isCount, modelLimits } from '@tollgate/billing/model-limits'
import { parseObject } from '@tollgate/dialects/json'
import { TurnCounter } from '@tollgate/dialects/realtime/turns'
import { problem, type ProblemCode } from '@tollgate/kit/problem'
import { WebSocket, type RawData } from 'ws'
import { textsIn } from '../admit/texts-in.ts'
import { closeSocket, closeWithError, sendError } from '../deliver/session-end.ts'
import type { Ending, Exit, Route } from '../exit.ts'
import type { Held } from '../hold/held.ts'
import type { Watched } from '../watch.ts'
import type { SessionPorts } from './ports.ts'
import { Tab } from './tab.ts'

export interface SessionInput {
  readonly held: Held
  /** Paused until now, as is the upstream. */
  readonly caller: WebSocket
  readonly upstream: WebSocket
  readonly ports: SessionPorts
  readonly route: Route
}

const NORMAL = 1000
/** Frames that one side has not taken yet, in bytes, before the other has to wait. */
const UNSENT_BYTES_MAX = 1024 * 1024
/** A caller that answers no ping for so long has left, whatever its socket says. */
const PING_MS = 30_000

/**
 * Hands frames from each side to the other as they come, and keeps the tab of the turns. It ends exactly once, whoever
 * ends it: a caller who leaves in the middle of a response is waited for no longer than for other answers.
 */
export class Session implements Watched {
  readonly ended: Promise<Exit>
  readonly #input: SessionInput
  readonly #turns: TurnCounter
  readonly #tab: Tab
  readonly #begunAt: number
  readonly #resolve: (exit: Exit) => void
  #heardAt: number
  #pingedAt: number
  #isAlive = true
  #isOver = false

  constructor(input: SessionInput) {
    const { held, ports, route } = input
    const { promise, resolve } = Promise.withResolvers<Exit>()
    this.ended = promise
    this.#resolve = resolve
    this.#input = input
    const bounds = { limits: modelLimits(held.candidates.model), inputTokensCounted: 0, choices: 1 }
    this.#turns = new TurnCounter({ isCredible: (usage) => isCount(usage, bounds) })
    this.#begunAt = this.#heardAt = this.#pingedAt = ports.now()
    this.#tab = new Tab({
      held,
      channelId: route.channel.id,
      ledger: ports.ledger,
      onError: (error) =>
        ports.log.warn({ error, requestId: held.call.id }, 'the hold of a session could not be kept up'),
      onExhausted: () => this.#endWith('session_exhausted', 'cut'),
    })
    this.#connect()
    ports.watch.add(this)
  }

  tick(now: number): void {
    const { held, ports, caller } = this.#input
    const { goneAt } = held.call
    if (goneAt !== undefined && now - goneAt >= ports.limits.drainMs) return this.#end('cancelled')
    if (now - this.#begunAt >= ports.limits.answerMs) return this.#endWith('session_over', 'complete')
    if (now - this.#heardAt >= ports.limits.firstByteMs) return this.#endWith('session_over', 'complete')
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
    // What went wrong is followed by `close`, which decides.
    for (const socket of [caller, upstream]) socket.on('error', () => undefined)
    caller.once('close', () => this.#callerLeft())
    upstream.once('close', (code) => this.#upstreamLeft(code))
    caller.resume()
    upstream.resume()
  }

  #fromCaller(data: RawData, isBinary: boolean): void {
    this.#heard()
    const text = textOf(data)
    if (this.#hasRefusedWord(text)) return
    if (!isBinary) this.#turns.fromCaller(text)
    pass(data, { isBinary, from: this.#input.caller, to: this.#input.upstream })
  }

  /** An event with a refused word is not handed on, and the caller is told so; the session goes on. */
  #hasRefusedWord(frame: string): boolean {
    const { held, caller, ports } = this.#input
    const { refusedWords } = held.settings
    if (refusedWords === undefined) return false
    const word = refusedWords.find(textsIn(parseObject(frame)).join('\n'))
    if (word === undefined) return false
    const { id: requestId, language } = held.call
    ports.log.warn({ word, userId: held.caller.owner.id, requestId }, 'a call had a refused word')
    sendError(caller, { problem: problem('sensitive_words_detected'), requestId, language })
    return true
  }

  #fromUpstream(data: RawData, isBinary: boolean): void {
    this.#heard()
    const { held, caller, upstream, ports } = this.#input
    held.call.firstByteAt ??= ports.now()
    const turn = isBinary ? undefined : this.#turns.fromUpstream(textOf(data))
    pass(data, { isBinary, from: upstream, to: caller })
    if (turn === undefined) return
    this.#tab.add(turn)
    // A transcript may be ready before the response that the caller left behind.
    if (held.call.isGone && !this.#turns.isSpeaking) this.#end('complete')
  }

  #heard(): void {
    this.#heardAt = this.#input.ports.now()
    this.#isAlive = true
  }

  /** A response that has begun is paid by the upstream's own count, if it comes in time. */
  #callerLeft(): void {
    if (!this.#turns.isSpeaking) this.#leaveInOrder()
    else if (this.#input.upstream.readyState !== WebSocket.OPEN) this.#end('broken')
  }

  /** To leave between two responses is how a session ends. */
  #leaveInOrder(): void {
    this.#input.held.call.goneAt = undefined
    this.#end('complete')
  }

  #upstreamLeft(code: number): void {
    const isInOrder = code === NORMAL && !this.#turns.isSpeaking
    if (isInOrder) this.#end('complete', code)
    else this.#endWith('stream_broken', this.#turns.isSpeaking ? 'broken' : 'complete')
  }

  #endWith(code: ProblemCode, ending: Ending): void {
    if (this.#isOver) return
    const { held, caller } = this.#input
    const { id, language } = held.call
    closeWithError(caller, { problem: problem(code), requestId: id, language })
    this.#end(ending)
  }

  #end(ending: Ending, code = NORMAL): void {
    if (this.#isOver) return
    this.#isOver = true
    const { caller, upstream, ports, route } = this.#input
    ports.watch.remove(this)
    for (const rest of [this.#turns.rest(), this.#turns.restOfTranscript()])
      if (rest !== undefined) this.#tab.add(rest)
    closeSocket(caller, code)
    closeSocket(upstream, NORMAL)
    const { usage, isEstimated } = this.#tab
    const reading = {
      usage,
      isEstimated,
      finish: undefined,
      outputTokensCounted: 0,
      hasOutput: usage !== undefined,
      isComplete: true,
      error: undefined,
    }
    // Nothing said is nothing owed.
    const told: Ending = usage === undefined ? 'cancelled' : ending
    this.#resolve({ type: 'delivered', ending: told, reading, ...route })
  }
}

interface Way {
  readonly isBinary: boolean
  readonly from: WebSocket
  readonly to: WebSocket
}

/** As it came. Who sends faster than the other side takes has to wait. */
function pass(data: RawData, { isBinary, from, to }: Way): void {
  if (to.readyState !== WebSocket.OPEN) return
  if (to.bufferedAmount > UNSENT_BYTES_MAX) {
    from.pause()
    to.send(data, { binary: isBinary }, () => from.resume())
  } else {
    to.send(data, { binary: isBinary })
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString()
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString()
}
