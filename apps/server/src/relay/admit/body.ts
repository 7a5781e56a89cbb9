import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { problem } from '@tollgate/kit/problem'
import { type BodyLease, UNASKED_BYTES } from './body-budget.ts'
import { BodyBytes } from './body-bytes.ts'
import { type Decoder, decodersFor } from './content-codings.ts'

/**
 * Decides whether a large body may be read on, by what has come so far. Rejects to refuse it; resolves with the size at
 * which it wants to be asked again.
 */
export type BodyGate = (sofar: Buffer) => Promise<number>

export interface BodyRules {
  /** Inflated bytes. */
  readonly bytesMax: number
  /** Pays for what is read. */
  readonly lease: BodyLease
  /** Asked before more than {@link UNASKED_BYTES} are read, or much of its owner is in flight; absent: nobody is. */
  readonly gate?: BodyGate
}

/**
 * The whole body of a request, inflated. The limit counts inflated bytes, so a small file that unpacks to a huge one is
 * refused while it unpacks; where codings are nested, it counts what each of them unpacks to. A body that came in one
 * piece is not copied.
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
    const isLarge = decoders.length === 0 && length > UNASKED_BYTES
    const collector = new Collector({ source, rules, isLarge, stop, resolve, reject })
    source.on('data', (chunk: Buffer) => collector.take(chunk))
    source.on('end', () => collector.end())
    for (const stream of new Set([request, ...decoders])) stream.on('error', (error) => collector.fail(error))
    if (decoders.length === 0) return
    // An error of one stream does not reach the next, and `pipeline` would close the caller's connection.
    decoders.reduce((from: Readable, decoder) => {
      from.on('data', collector.counter({ into: decoder, isInflated: from !== request }))
      return from.pipe(decoder)
    }, request)
  })
}

interface Collecting {
  /** Of inflated bytes. */
  readonly source: Readable
  readonly rules: BodyRules
  /** Known before its first byte. */
  readonly isLarge: boolean
  /** Nothing more is wanted. */
  readonly stop: () => void
  readonly resolve: (body: Buffer) => void
  readonly reject: (error: unknown) => void
}

interface Fed {
  readonly into: Decoder
  size: number
}

class Collector {
  readonly #input: Collecting
  readonly #bytes: BodyBytes
  #isOver = false
  #isAsked = false
  #askAt: number
  /** What codings inside others have unpacked to; it is paid for until the body is whole. */
  #betweenBytes = 0
  readonly #fed: Fed[] = []

  constructor(input: Collecting) {
    const { rules, isLarge } = input
    this.#input = input
    this.#bytes = new BodyBytes(rules.bytesMax)
    this.#askAt = rules.gate === undefined ? Number.POSITIVE_INFINITY : isLarge ? 0 : UNASKED_BYTES
  }

  /** Inflated bytes. */
  take(chunk: Buffer): void {
    const { rules } = this.#input
    if (this.#isOver) return
    if (this.#bytes.size + chunk.length > rules.bytesMax) return this.#refuseSize()
    if (!this.#pay(chunk.length)) return
    this.#bytes.add(chunk)
    this.#askWhen(this.#bytes.size > this.#askAt)
  }

  /** Counts what goes into a decoder: the bytes that were sent, or what the coding around it unpacks to. */
  counter({ into, isInflated }: { into: Decoder; isInflated: boolean }): (chunk: Buffer) => void {
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
    // A decoder that has met its end leaves the rest, which may be more of the body, such as a second frame of zstd.
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
      this.#askAt = await gate(this.#bytes.sofar())
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
