import { SseEditor } from '../stream/sse.ts'
import type { Frame } from './codec.ts'

/**
 * Splits a stream into frames, wherever its bytes are cut. Never throws: bytes that are not a frame set
 * `hasGarbage`.
 */
export interface Frames {
  push(chunk: Buffer): readonly Frame[]
  end(): readonly Frame[]
  /** Whether the stream contained something that is not a frame. */
  readonly hasGarbage?: boolean
}

/** A generated image comes as a single line of several megabytes. */
const LINE_BYTES_MAX = 32 * 1024 * 1024

/**
 * Splits a stream of server-sent events into frames, wherever its bytes are cut. The `event:` line is
 * ignored: in every dialect here the data contains the event type.
 */
export class FrameReader implements Frames {
  readonly #editor: SseEditor
  #frames: Frame[] = []
  /** Set by a line that is not part of an event stream, or that is too long for one. */
  #hasGarbage = false

  constructor(lineBytesMax = LINE_BYTES_MAX) {
    this.#editor = new SseEditor({
      onData: (bytes, start, end) => {
        this.#frames.push({ event: undefined, data: bytes.toString('utf8', start, end) })
        return 'drop'
      },
      onLongLine: () => {
        this.#hasGarbage = true
      },
      bufferedBytesMax: lineBytesMax,
    })
  }

  get hasGarbage(): boolean {
    return this.#hasGarbage || this.#editor.hasStrayLines
  }

  push(chunk: Buffer): readonly Frame[] {
    this.#editor.push(chunk)
    return this.#taken()
  }

  /** A last line without a line break is a frame too, if it is complete. */
  end(): readonly Frame[] {
    this.#editor.end()
    return this.#taken()
  }

  #taken(): readonly Frame[] {
    const frames = this.#frames
    this.#frames = []
    return frames
  }
}
