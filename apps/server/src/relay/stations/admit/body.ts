import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { problem } from '@tollgate/problems/problem'
import { type BodyLease, UNCHECKED_BYTES } from './body-budget.ts'
import { BodyBytes } from './body-bytes.ts'
import type { ContentDecoder } from '@tollgate/egress/content-codings'
import { decodersFor } from './content-codings.ts'

/**
 * Decides whether the rest of a large body may be read, from the bytes received so far. Rejects to refuse the
 * body; resolves with the size at which it is to be called again.
 */
export type BodyGate = (sofar: Buffer) => Promise<number>

export interface BodyRules {
  /** Limit in inflated bytes. */
  readonly bytesMax: number
  /** Charged for the bytes that are read. */
  readonly lease: BodyLease
  /**
   * Called before more than {@link UNCHECKED_BYTES} are read, or when the user has many bytes in flight.
   * Without a gate no check is made.
   */
  readonly gate?: BodyGate
}

/**
 * Reads and inflates the whole body of a request. The limit counts inflated bytes, so a small file that
 * inflates to a huge one is refused while it inflates; with nested codings the limit applies to the output of
 * each. A body that arrived in one piece is not copied.
 */
export function readBody(request: IncomingMessage, rules: BodyRules): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const length = Number(request.headers['content-length'] ?? 0)
    if (length > rules.bytesMax) throw problem('body_too_large', { limit: rules.bytesMax })
    const decoders = decodersFor(request.headers)
    const source: Readable = decoders.at(-1) ?? request
    const stop = () => {
      if (decoders.length === 0) request.pause()
      for (const decoder of decoders) decoder.destroy()
    }
    const isLarge = decoders.length === 0 && length > UNCHECKED_BYTES
    const collector = new Collector({ source, rules, isLarge, stop, resolve, reject })
    source.on('data', (chunk: Buffer) => collector.take(chunk))
    source.on('end', () => collector.end())
    request.on('error', (error) => collector.fail(error))
    if (decoders.length === 0) return
    for (const decoder of decoders) decoder.on('error', (error) => collector.fail(error))
    // `pipe` does not forward errors, so every stream has its own error handler above; `pipeline` would
    // forward them but close the caller's connection.
    decoders.reduce((from: Readable, decoder) => {
      from.on('data', collector.counter({ into: decoder, isInflated: from !== request }))
      return from.pipe(decoder)
    }, request)
  })
}

interface Collecting {
  /** The stream of inflated bytes. */
  readonly source: Readable
  readonly rules: BodyRules
  /** The body is known to be large before its first byte, from its headers. */
  readonly isLarge: boolean
  /** Called when no more bytes are wanted. */
  readonly stop: () => void
  readonly resolve: (body: Buffer) => void
  readonly reject: (error: unknown) => void
}

interface Fed {
  readonly into: ContentDecoder
  size: number
}

class Collector {
  readonly #input: Collecting
  readonly #bytes: BodyBytes
  #isOver = false
  #isAsked = false
  #askAt: number
  /** Output of the inner codings of a nested body; charged to the lease until the body is complete. */
  #betweenBytes = 0
  readonly #fed: Fed[] = []

  constructor(input: Collecting) {
    const { rules, isLarge } = input
    this.#input = input
    this.#bytes = new BodyBytes(rules.bytesMax)
    this.#askAt = rules.gate === undefined ? Number.POSITIVE_INFINITY : isLarge ? 0 : UNCHECKED_BYTES
  }

  /** Takes a chunk of the inflated body. */
  take(chunk: Buffer): void {
    const { rules } = this.#input
    if (this.#isOver) return
    if (this.#bytes.size + chunk.length > rules.bytesMax) return this.#refuseSize()
    if (!this.#pay(chunk.length)) return
    this.#bytes.add(chunk)
    this.#askWhen(this.#bytes.size > this.#askAt)
  }

  /** Counts the bytes that go into a decoder: the bytes sent, or the output of the coding around it. */
  counter({ into, isInflated }: { into: ContentDecoder; isInflated: boolean }): (chunk: Buffer) => void {
    const fed: Fed = { into, size: 0 }
    this.#fed.push(fed)
    return ({ length }) => {
      if (this.#isOver) return
      fed.size += length
      if (fed.size > this.#input.rules.bytesMax) return this.#refuseSize()
      if (!isInflated || !this.#pay(length)) return
      this.#betweenBytes += length
      this.#askWhen(false)
    }
  }

  end(): void {
    if (this.#isOver) return
    // A decoder stops at the end of its stream and leaves the remaining bytes, which could be more of the
    // body, such as a second zstd frame. Such a body is refused.
    if (this.#fed.some(({ into, size }) => size > into.bytesWritten))
      return this.fail(new Error('bytes after the end'))
    this.#isOver = true
    this.#input.rules.lease.give(this.#betweenBytes)
    this.#input.resolve(this.#bytes.whole())
  }

  fail(error: unknown): void {
    this.#refuse(problem('body_unreadable', {}, { cause: error }))
  }

  #pay(bytes: number): boolean {
    try {
      this.#input.rules.lease.take(bytes)
      return true
    } catch (error) {
      this.#refuse(error)
      return false
    }
  }

  #askWhen(isLarge: boolean): void {
    const { gate, lease } = this.#input.rules
    if (gate !== undefined && (isLarge || (!this.#isAsked && lease.isOneOfMany))) void this.#ask(gate)
  }

  async #ask(gate: BodyGate): Promise<void> {
    const { source } = this.#input
    this.#isAsked = true
    this.#askAt = Number.POSITIVE_INFINITY
    source.pause()
    try {
      this.#askAt = await gate(this.#bytes.whole())
      if (!this.#isOver) source.resume()
    } catch (error) {
      this.#refuse(error)
    }
  }

  #refuseSize(): void {
    this.#refuse(problem('body_too_large', { limit: this.#input.rules.bytesMax }))
  }

  #refuse(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#input.stop()
    this.#bytes.clear()
    this.#input.reject(error)
  }
}
