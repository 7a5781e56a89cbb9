import type { Reading } from '../dialect.ts'
import type { ErrorRequest } from '../errors/render-error.ts'
import type { ChatAnswer } from '../openai/answer.ts'
import { NonStreamBody } from './non-stream-body.ts'
import type { StreamTap } from './stream-tap.ts'

/** How the tap of one dialect reads a stream. Nothing is called after `end` or `cut`, except `fail`. */
export interface TappedStream extends Pick<
  StreamTap,
  'push' | 'end' | 'endEvent' | 'cut' | 'fail' | 'flush' | 'frames' | 'isClosing' | 'hasEnded' | 'reading'
> {
  /** How a body that is not a stream is recognised and read. Absent: every body is read as a stream. */
  readonly body?: WholeBody
}

export interface WholeBody {
  /** Largest body that is read. */
  readonly bytesMax?: number
  /** Reads a complete body and writes the stream that the caller requested. */
  read(bytes: Buffer): ChatAnswer
}

/**
 * The tap on any response to a request for a stream. Some upstreams answer with another body: it is collected
 * and read at its end. The first visible byte decides.
 */
export class BodyOrStreamTap implements StreamTap {
  readonly #stream: TappedStream
  readonly fail?: (request: ErrorRequest) => readonly Buffer[]
  readonly endEvent?: () => readonly Buffer[] | undefined
  readonly flush?: () => readonly Buffer[]
  #state: 'start' | 'open' | 'closed' = 'start'
  #body: NonStreamBody | undefined
  #bodyReading: Reading | undefined
  #bodyFrames = 0

  constructor(stream: TappedStream) {
    this.#stream = stream
    this.fail = stream.fail?.bind(stream)
    this.endEvent = stream.endEvent?.bind(stream)
    this.flush = stream.flush?.bind(stream)
    if (stream.body === undefined) this.#state = 'open'
  }

  get frames(): number {
    return this.#stream.frames + this.#bodyFrames
  }

  get isClosing(): boolean {
    return this.#stream.isClosing
  }

  get hasEnded(): boolean {
    return this.#stream.hasEnded
  }

  get reading(): Reading {
    return this.#bodyReading ?? this.#stream.reading
  }

  push(chunk: Buffer): readonly Buffer[] {
    if (this.#state === 'closed') return []
    if (this.#state === 'start') {
      const isNonStream = NonStreamBody.isNonStream(chunk)
      if (isNonStream === undefined) return []
      this.#state = 'open'
      if (isNonStream) this.#body = new NonStreamBody(this.#stream.body?.bytesMax)
    }
    if (this.#body === undefined) return this.#stream.push(chunk)
    this.#body.add(chunk)
    return []
  }

  end(): readonly Buffer[] {
    if (this.#state === 'closed') return []
    this.#state = 'closed'
    if (this.#body === undefined || this.#stream.body === undefined) return this.#stream.end()
    const { bytes, reading } = this.#stream.body.read(this.#body.bytes())
    const output = reading.error === undefined ? [bytes] : []
    this.#bodyReading = reading
    this.#bodyFrames = output.length
    return output
  }

  cut(): readonly Buffer[] {
    if (this.#state === 'closed' || this.#stream.hasEnded) return []
    this.#state = 'closed'
    return this.#stream.cut()
  }
}
