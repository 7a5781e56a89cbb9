import { SseEditor } from '../sse.ts'
import type { Frame } from './codec.ts'

/** Takes a stream apart, wherever its bytes are cut. Never throws: what is no frame becomes an error's. */
export interface Frames {
  push(chunk: Buffer): readonly Frame[]
  end(): readonly Frame[]
  /** Something came that is no frame. */
  readonly hasGarbage?: boolean
}

/** Drawn answers come as one line of some megabytes. */
const LINE_BYTES_MAX = 32 * 1024 * 1024

/**
 * The frames of a stream of server-sent events, wherever its bytes are cut. The `event:` line is not looked at: in every
 * dialect here the data says of what type it is.
 */
export class FrameReader implements Frames {
  readonly #editor: SseEditor
  #frames: Frame[] = []
  /** A line that belongs to no stream of events, or is too long for one. */
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

  /** A last line without a line break is a frame too, if it is whole. */
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
