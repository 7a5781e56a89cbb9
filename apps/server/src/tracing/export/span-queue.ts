import { setTimeout as sleep } from 'node:timers/promises'
import type { SpanBatch } from '../otlp/span-batch.ts'
import type { Span } from '../span.ts'
import type { Collector } from './collector.ts'
import type { LossLog } from './loss-log.ts'

/** How long a shutdown waits for a collector that does not answer. */
const CLOSE_MS = 3_000

export interface QueueLimits {
  /** Spans of one request. */
  readonly batchSpansMax: number
  /** Spans that wait for their request or its answer; further ones are lost. */
  readonly queueSpansMax: number
  /** A request that has reached this size is sent; one call may make it larger. */
  readonly batchBytesMax: number
  /** Bytes that wait, with texts of calls among them; further spans are lost. */
  readonly queueBytesMax: number
  /** Longest wait for further spans of a request. */
  readonly delayMs: number
}

export interface QueueParts {
  readonly newBatch: () => SpanBatch
  readonly collector: Collector
  readonly losses: LossLog
  readonly limits: QueueLimits
}

/** Collects spans into batches and sends one batch after the other. */
export class SpanQueue {
  readonly #parts: QueueParts
  readonly #idle: SpanBatch[] = []
  readonly #full: SpanBatch[] = []
  #filling: SpanBatch
  #waiting = 0
  /** Of batches that are full. */
  #waitingBytes = 0
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined

  constructor(parts: QueueParts) {
    this.#parts = parts
    this.#filling = parts.newBatch()
  }

  /** The spans of one call. */
  add(spans: readonly Span[]): void {
    const { limits, losses } = this.#parts
    if (this.#isFull(spans.length)) return losses.lost(spans.length, 'queue full')
    if (this.#filling.count + spans.length > limits.batchSpansMax) this.#send()
    this.#waiting += spans.length
    for (const span of spans) this.#filling.add(span)
    if (this.#filling.bytes >= limits.batchBytesMax) return this.#send()
    this.#timer ??= setTimeout(() => this.#send(), limits.delayMs).unref()
  }

  #isFull(more: number): boolean {
    const { queueSpansMax, queueBytesMax } = this.#parts.limits
    return this.#waiting + more > queueSpansMax || this.#waitingBytes + this.#filling.bytes >= queueBytesMax
  }

  /** Sends what is waiting, as far as the collector takes it in time. */
  async close(): Promise<void> {
    this.#send()
    await Promise.race([this.#sending, sleep(CLOSE_MS, undefined, { ref: false })])
    await this.#parts.collector.close()
    await this.#sending
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#filling.count === 0) return
    this.#full.push(this.#filling)
    this.#waitingBytes += this.#filling.bytes
    this.#filling = this.#idle.pop() ?? this.#parts.newBatch()
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined))
  }

  async #sendAll(): Promise<void> {
    const { collector, losses } = this.#parts
    for (let batch = this.#full.shift(); batch !== undefined; batch = this.#full.shift()) {
      const { count, bytes } = batch
      const failure = await collector.send(batch.finish(), batch.contentType)
      if (failure !== undefined) losses.lost(count, failure)
      this.#waiting -= count
      this.#waitingBytes -= bytes
      batch.clear()
      this.#idle.push(batch)
    }
  }
}
