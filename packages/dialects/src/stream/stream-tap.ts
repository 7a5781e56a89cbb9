import type { Reading } from '../dialect.ts'
import type { ErrorRequest } from '../errors/render-error.ts'

/**
 * Synchronous tap on a stream: returns the buffers to forward, most often the same one that came in. Only
 * whole lines are sent, so a frame of the gateway can follow at any moment. After an error, `[DONE]`, `end`
 * or `cut` nothing more is sent.
 */
export interface StreamTap {
  push(chunk: Buffer): readonly Buffer[]
  /**
   * Call at the end of the upstream's stream. Returns what must still be sent, such as a withheld or
   * synthetic end.
   */
  end(): readonly Buffer[]
  /**
   * Ends the stream early in a valid way: open choices finish with `length`, then usage if requested, then
   * the end marker.
   */
  cut(): readonly Buffer[]
  /**
   * Ends the stream with an error of the gateway, for dialects whose events are numbered. Absent: the error
   * frame needs no state of the stream.
   */
  fail?(request: ErrorRequest): readonly Buffer[]
  /**
   * Returns what has to be sent before a frame of the gateway, because the last line that was sent still needs
   * its blank line; `undefined` in the middle of a line, where nothing may be sent. Absent: only whole events
   * are sent.
   */
  endEvent?(): readonly Buffer[] | undefined
  /** Returns what is kept back for a later frame, after a long pause. Absent: nothing is. */
  flush?(): readonly Buffer[]
  /**
   * Returns the frames that were kept back because they only announce the answer. From then on none are. Absent:
   * none were.
   */
  release?(): readonly Buffer[]
  /** Number of data frames forwarded. While it is 0, the caller has received nothing but comments. */
  readonly frames: number
  /**
   * Whether the end has begun: the finish reason of the last choice, the final usage or the end marker was
   * read. The frame with it is among those that the same `push` returned.
   */
  readonly isClosing: boolean
  /** Whether the end marker was read, so that `push` returns nothing more. */
  readonly hasEnded: boolean
  readonly reading: Reading
  /** Bytes of long strings that are kept until the end. Absent: none. */
  readonly asideBytes?: number
}
