import { ownValue } from '@tollgate/kit/own-value'
import { PassingAnswer, type PassingOperation } from '@tollgate/dialects/pass/passing-answer'
import type { PairRules } from '@tollgate/dialects/pair/pair'
import { toStreamEnd, type StreamEnd, type UnsentAnswer } from '../../outcome.ts'
import { openWhole } from './outlet.ts'
import { WholeSink, type WholeSinkInput } from './whole-sink.ts'
import { WithheldTail } from './withheld-tail.ts'

type AnsweredCall = WholeSinkInput['held']
type BreakReason = Parameters<WholeSink['broke']>[0]
type Sink = Pick<WholeSink, 'data' | 'end' | 'broke' | 'tick' | 'heldBytes' | 'isGrowing'>

const KIB = 1024
/** Smaller responses are kept whole, so that another channel may be tried until they are complete. */
const LARGE_BYTES = 1024 * KIB
/** What is looked at for an error before the first byte of a large response is sent. */
const CHECKED_BYTES = 64 * KIB
/** The last bytes wait until the call is settled. */
const TAIL_BYTES = 4 * KIB
const JSON_TYPE = 'application/json; charset=utf-8'

const OPERATIONS: Readonly<Record<string, PassingOperation>> = {
  chat: 'chat',
  completions: 'completions',
  embeddings: 'embeddings',
  rerank: 'rerank',
  messages: 'messages',
  responses: 'responses',
  generate: 'generate',
}

/**
 * The operation of a response that is passed on without a change, apart from a vendor's cost in its usage. Everything
 * else that may change a response, or needs it whole, keeps it whole.
 */
export function findPassingOperation(
  rules: PairRules,
  {
    ask,
    settings,
  }: {
    readonly ask: Pick<AnsweredCall['ask'], 'isStream'>
    readonly settings: Pick<AnsweredCall['settings'], 'costReport'>
  },
): PassingOperation | undefined {
  if (rules.asked !== rules.endpoint || ask.isStream || settings.costReport !== 'off') return undefined
  const { isCollected, packsVectors, thinkingToContent, forceFormat, isPlainText } = rules
  const isRewritten = [isCollected, packsVectors, thinkingToContent, forceFormat, isPlainText].includes(true)
  const { adjustAnswer, answerModel, errorInside, originalTools, codec, vectors, extractAudio } = rules
  const changes = [adjustAnswer, answerModel, errorInside, originalTools, codec, vectors, extractAudio]
  if (isRewritten || changes.some((change) => change !== undefined)) return undefined
  return ownValue(OPERATIONS, rules.asked)
}

/** The sink for a whole response; one that is passed on if it is large and nothing changes it. */
export function createWholeSink(input: WholeSinkInput): Sink {
  const whole = new WholeSink(input)
  const isKept = input.route.transcript !== undefined
  const operation = isKept ? undefined : findPassingOperation(input.rules, input.held)
  return operation === undefined ? whole : new PassingSink(input, operation, whole)
}

/**
 * Passes a large response to the caller as it comes. It holds at most a mebibyte of it; a smaller response, and one
 * that begins with an error, is left to the sink for whole responses.
 */
class PassingSink implements Sink {
  readonly #input: WholeSinkInput
  readonly #answer: PassingAnswer
  readonly #tail = new WithheldTail(TAIL_BYTES)
  /** Receives what has arrived as long as it may have to be kept whole. */
  #whole: Sink | undefined
  /** The beginning of the response, until it is passed on. */
  #begun: Buffer[] | undefined = []
  #bytes = 0
  /** The caller reads more slowly than the upstream writes. */
  #isWaiting = false

  constructor(input: WholeSinkInput, operation: PassingOperation, whole: Sink) {
    this.#input = input
    this.#whole = whole
    this.#answer = new PassingAnswer({ operation, readUsage: input.rules.readUsage, rules: input.rules })
  }

  /** A response that passes holds no more than what its caller has not taken. */
  get heldBytes(): number {
    if (this.#begun !== undefined) return this.#bytes
    return this.#whole?.heldBytes ?? TAIL_BYTES + this.#answer.heldBytes + this.#input.held.call.untakenBytes
  }

  get isGrowing(): boolean {
    return this.#begun !== undefined || this.#whole?.isGrowing === true
  }

  data(chunk: Buffer): void {
    const { bytesMax, exchange } = this.#input
    this.#bytes += chunk.length
    if (this.#begun === undefined) {
      if (this.#whole !== undefined) return this.#whole.data(chunk)
      if (this.#bytes > bytesMax) return exchange.stop({ type: 'too-large', limit: bytesMax })
      return this.#pass(chunk)
    }
    this.#begun.push(chunk)
    if (this.#bytes < this.#passedFrom) return this.#whole?.data(chunk)
    this.#begin(this.#begun, chunk)
  }

  end(): void {
    if (this.#whole !== undefined) return this.#whole.end()
    if (this.#answer.isComplete) this.#finish('complete', { type: 'bytes', bytes: this.#tail.rest() })
    else this.#finish('broken', { type: 'abort' })
  }

  broke(reason: BreakReason): void {
    if (this.#whole !== undefined) return this.#whole.broke(reason)
    this.#finish(toStreamEnd(reason), { type: 'abort' })
  }

  tick(now: number): void {
    if (this.#whole !== undefined) return this.#whole.tick(now)
    this.#input.meter.checkpointEvery(now, this.#answer.outputTokens)
  }

  get #passedFrom(): number {
    return this.#input.length > LARGE_BYTES ? CHECKED_BYTES : LARGE_BYTES
  }

  /** Enough has arrived to decide; `latest` is its last piece. */
  #begin(begun: readonly Buffer[], latest: Buffer): void {
    const { held, meter, now, status, length } = this.#input
    this.#begun = undefined
    const pieces = begun.map((piece) => this.#answer.push(piece))
    if (this.#answer.isBroken) return this.#whole?.data(latest)
    this.#whole = undefined
    held.call.firstByteAt = now()
    meter.checkpoint(held.call.firstByteAt, this.#answer.outputTokens)
    openWhole(held.call, { status, type: JSON_TYPE, bytes: length })
    for (const piece of pieces.flat()) this.#write(piece)
  }

  #pass(chunk: Buffer): void {
    for (const piece of this.#answer.push(chunk)) this.#write(piece)
  }

  #write(piece: Buffer): void {
    const { held, exchange } = this.#input
    const { call } = held
    const bytes = this.#tail.push(piece)
    if (call.isGone || bytes.length === 0 || call.response.write(bytes) || this.#isWaiting) return
    this.#isWaiting = true
    exchange.pause()
    call.response.once('drain', () => {
      this.#isWaiting = false
      exchange.resume()
    })
  }

  #finish(ending: StreamEnd, rest: UnsentAnswer): void {
    const { exchange, route } = this.#input
    const reading = this.#answer.reading()
    exchange.finish({ ...route, type: 'delivered', ending, reading, rest })
  }
}
