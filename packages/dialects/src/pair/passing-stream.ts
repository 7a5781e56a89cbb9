import type { Reading } from '../dialect.ts'
import type { TappedStream, WholeBody } from '../stream/body-or-stream.ts'
import type { ErrorRequest } from '../errors/render-error.ts'
import type { LineVerdict } from '../stream/line-verdict.ts'
import { SseEditor } from '../stream/sse.ts'
import type { PairRules } from './pair.ts'
import { readWholeAsStream } from './read-whole.ts'

/** Reads a stream of one dialect frame by frame while it passes. */
export interface Listener {
  /** A longer line is not treated as an event of the dialect. */
  readonly bufferedBytesMax: number
  /**
   * Whether events have names: then the `event:` line of each stays with its data, and is added if an
   * upstream omitted it.
   */
  readonly hasNames: boolean
  /** See `SseEditorOptions.sendsDataOnly`. */
  readonly sendsDataOnly?: boolean
  /** Number of data frames with content that have passed. */
  readonly frames: number
  readonly reading: Reading
  /** See `StreamTap.isClosing`. */
  readonly isClosing: boolean
  /** Whether the dialect's end marker was received. */
  readonly isDone: boolean
  /**
   * Reads the payload of one data line, given by its position because creating a subarray costs more than
   * reading it. `isNamed`: an `event:` line precedes it.
   */
  hear(bytes: Buffer, start: number, end: number, isNamed: boolean): LineVerdict
  hearLongLine(): void
  /**
   * Call at the end of the stream. `hasStrayLines`: it contained lines that are not part of an event stream.
   */
  end(hasStrayLines: boolean): void
  /** Returns the frames that end the stream early in a valid way. */
  cut(): readonly Buffer[]
  /** Returns the frames that end the stream with an error. Absent: they need no state of the stream. */
  fail?(request: ErrorRequest): readonly Buffer[]
}

/** Passes a stream unchanged to a caller of the same dialect, while a listener reads it. */
export class PassingStream implements TappedStream {
  readonly #rules: PairRules
  readonly #listener: Listener
  readonly #editor: SseEditor
  readonly body: WholeBody

  constructor(rules: PairRules, listener: Listener) {
    this.#rules = rules
    this.#listener = listener
    this.body = { read: (bytes) => readWholeAsStream(bytes, rules) }
    this.#editor = new SseEditor({
      onData: (bytes, start, end, { isNamed }) => listener.hear(bytes, start, end, isNamed),
      onLongLine: () => listener.hearLongLine(),
      bufferedBytesMax: listener.bufferedBytesMax,
      pairsEventLines: listener.hasNames,
      sendsDataOnly: listener.sendsDataOnly === true,
    })
  }

  get frames(): number {
    return this.#listener.frames
  }

  get reading(): Reading {
    return this.#listener.reading
  }

  get isClosing(): boolean {
    return this.#listener.isClosing
  }

  get hasEnded(): boolean {
    return this.#listener.isDone
  }

  push(chunk: Buffer): readonly Buffer[] {
    return this.#editor.push(chunk)
  }

  end(): readonly Buffer[] {
    const output = this.#editor.end()
    this.#listener.end(this.#editor.hasStrayLines)
    return output
  }

  endEvent(): readonly Buffer[] | undefined {
    return this.#editor.endEvent()
  }

  cut(): readonly Buffer[] {
    return [...this.#editor.boundary(), ...this.#listener.cut()]
  }

  fail(request: ErrorRequest): readonly Buffer[] {
    const { caller, context } = this.#rules
    return this.#listener.fail?.(request) ?? caller.openWriter(context).fail(request)
  }
}
