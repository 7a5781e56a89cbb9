import type { IncomingHttpHeaders } from 'node:http'
import { parseObject } from '@tollgate/dialects/json'
import type { AsyncJobReader } from '@tollgate/providers/provider'
import type { Dispatcher } from 'undici'
import { AnswerDecoder, isCodedAnswer, withoutCodingHeaders } from './answer-decoder.ts'
import type { Exchange, UpstreamHead } from './exchange.ts'

export interface PollingHandlerInput {
  readonly exchange: Pick<
    Exchange,
    | 'isOver'
    | 'request'
    | 'onRequestStart'
    | 'onResponseStart'
    | 'onResponseData'
    | 'onResponseEnd'
    | 'onResponseError'
  >
  readonly work: AsyncJobReader
  /** Path of the submission. */
  readonly path: string
  /** Sends a GET for this path to the origin of the submission. Throws as a dispatcher does. */
  readonly ask: (path: string, handler: Dispatcher.DispatchHandler) => void
  readonly pauseMs: number
}

const ANSWER_BYTES_MAX = 1024 * 1024
/** Polls without a usable response, in a row. */
const MISSED_MAX = 5

/**
 * Adapter for upstreams where work is submitted and then polled: the exchange sees one request whose response
 * is the final result. The time limits of the exchange, and the caller hanging up, apply to the whole of it.
 */
export class PollingHandler implements Dispatcher.DispatchHandler {
  readonly #input: PollingHandlerInput
  #controller: Dispatcher.DispatchController | undefined
  #head: UpstreamHead | undefined
  #decoder: AnswerDecoder | undefined
  #chunks: Buffer[] = []
  #bytes = 0
  /** The path to poll, once the work has been submitted. */
  #asked: string | undefined
  #missed = 0

  constructor(input: PollingHandlerInput) {
    this.#input = input
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    this.#begin()
    this.#input.exchange.onRequestStart(controller)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return
    this.#head = { status, headers }
    if (!isCodedAnswer(headers)) return
    try {
      this.#decoder = new AnswerDecoder(headers, {
        data: (chunk) => this.#take(controller, chunk),
        end: () => this.#end(),
        fail: (error) => controller.abort(error),
        full: () => controller.pause(),
        drain: () => controller.resume(),
      })
      this.#head = { status, headers: withoutCodingHeaders(headers) }
    } catch (error) {
      controller.abort(error instanceof Error ? error : new Error('the answer is coded'))
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#decoder === undefined) this.#take(controller, chunk)
    else this.#decoder.write(chunk)
  }

  onResponseEnd(): void {
    if (this.#decoder === undefined) this.#end()
    else this.#decoder.end()
  }

  #begin(): void {
    this.#decoder?.close()
    this.#decoder = undefined
    this.#head = undefined
    this.#chunks = []
    this.#bytes = 0
  }

  #take(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > ANSWER_BYTES_MAX)
      controller.abort(new Error('the answer to a polled order is too large'))
    else this.#chunks.push(chunk)
  }

  #end(): void {
    this.#decoder?.close()
    const { exchange, work, path } = this.#input
    if (exchange.isOver) return
    const body = Buffer.concat(this.#chunks)
    const answer = parseObject(body)
    const { status = 0, headers = {} } = this.#head ?? {}
    const isTold = status < 300 && answer !== undefined
    if (!isTold && this.#askLater()) return
    const next = isTold ? work(answer, path) : { type: 'done' as const }
    if (next.type === 'pending') {
      exchange.request.answered(status)
      this.#asked = next.path
      this.#missed = 0
      this.#askLater()
      return
    }
    if (next.type === 'failed') this.#hand(next.status, headers, Buffer.from(JSON.stringify(next.body)))
    else this.#hand(status, headers, body)
  }

  onResponseError(controller: Dispatcher.DispatchController | undefined, error: Error): void {
    const { exchange } = this.#input
    this.#decoder?.close()
    if (exchange.isOver || !this.#askLater()) exchange.onResponseError(controller, error)
  }

  /**
   * Schedules the next poll. A poll without a usable response says nothing about the work, so it is repeated.
   * False when nothing was submitted yet, or too many polls failed.
   */
  #askLater(): boolean {
    const path = this.#asked
    if (path === undefined || ++this.#missed > MISSED_MAX) return false
    setTimeout(() => this.#askAgain(path), this.#input.pauseMs).unref()
    return true
  }

  #askAgain(path: string): void {
    const { exchange, ask } = this.#input
    if (exchange.isOver) return
    try {
      ask(path, this)
    } catch (error) {
      exchange.onResponseError(undefined, error instanceof Error ? error : new Error('unsent'))
    }
  }

  #hand(status: number, headers: IncomingHttpHeaders, body: Buffer): void {
    const { exchange } = this.#input
    const controller = this.#controller
    if (controller === undefined) return
    const { 'content-length': _length, ...others } = headers
    exchange.onResponseStart(controller, status, others)
    exchange.onResponseData(controller, body)
    exchange.onResponseEnd()
  }
}
