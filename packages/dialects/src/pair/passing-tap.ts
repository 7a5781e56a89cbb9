import type { Reading } from '../dialect.ts'
import type { StreamTap } from '../stream-tap.ts'
import type { ErrorRequest } from '../openai/error.ts'
import { SseEditor, type LineVerdict } from '../sse.ts'
import type { PairRules } from './pair.ts'
import { StrayBody } from './stray-body.ts'

/** What one dialect hears of a stream that passes, frame by frame. */
export interface Listener {
  /** A longer line is no event of the dialect. */
  readonly bufferedBytesMax: number
  /** Events have names: the `event:` line of each stays with its data, and is written where an upstream forgot it. */
  readonly hasNames: boolean
  /** Data frames that passed and say something. */
  readonly frames: number
  readonly reading: Reading
  /** The dialect's last word was heard. */
  readonly isDone: boolean
  /** The payload of one data line, where it stands: windows on it cost more than to listen. `isNamed`: its `event:` line stands before it. */
  hear(bytes: Buffer, start: number, end: number, isNamed: boolean): LineVerdict
  hearLongLine(): void
  /** No more comes. `hasStrayLines`: something came that belongs to no stream of events. */
  end(hasStrayLines: boolean): void
  /** What ends the stream early, and honestly. */
  cut(): readonly Buffer[]
}

/** Passes a stream on to a caller of the same dialect as it came, and lets the dialect listen on the way. */
export class PassingTap implements StreamTap {
  readonly #rules: PairRules
  readonly #listener: Listener
  readonly #editor: SseEditor
  #stray: StrayBody | undefined
  #strayReading: Reading | undefined
  #strayFrames = 0
  #state: 'start' | 'open' | 'closed' = 'start'

  constructor(rules: PairRules, listener: Listener) {
    this.#rules = rules
    this.#listener = listener
    this.#editor = new SseEditor({
      onData: (bytes, start, end, { isNamed }) => listener.hear(bytes, start, end, isNamed),
      onLongLine: () => listener.hearLongLine(),
      bufferedBytesMax: listener.bufferedBytesMax,
      pairsEventLines: listener.hasNames,
    })
  }

  get frames(): number {
    return this.#listener.frames + this.#strayFrames
  }

  get reading(): Reading {
    return this.#strayReading ?? this.#listener.reading
  }

  push(chunk: Buffer): readonly Buffer[] {
    if (this.#state === 'closed') return []
    if (this.#state === 'start') {
      const isStray = StrayBody.isStray(chunk)
      if (isStray === undefined) return []
      this.#state = 'open'
      if (isStray) this.#stray = new StrayBody()
    }
    if (this.#stray === undefined) return this.#editor.push(chunk)
    this.#stray.add(chunk)
    return []
  }

  end(): readonly Buffer[] {
    if (this.#state === 'closed') return []
    this.#state = 'closed'
    if (this.#stray !== undefined) return this.#endStray(this.#stray)
    const output = this.#editor.end()
    this.#listener.end(this.#editor.hasStrayLines)
    return output
  }

  cut(): readonly Buffer[] {
    if (this.#state === 'closed' || this.#listener.isDone) return []
    this.#state = 'closed'
    return [...this.#editor.boundary(), ...this.#listener.cut()]
  }

  fail(request: ErrorRequest): readonly Buffer[] {
    return this.#rules.caller.openWriter(this.#rules.context).fail(request)
  }

  #endStray(body: StrayBody): readonly Buffer[] {
    const { reading, output } = body.read(this.#rules)
    this.#strayReading = reading
    this.#strayFrames = output.length
    return output
  }
}
