import type { Reading } from './dialect.ts'
import type { ErrorRequest } from './openai/error.ts'

/**
 * Synchronous tap on a stream: returns the buffers to forward, most often the very one that came in. Only whole lines
 * go out, so a frame of ours can follow at any moment. After an error, `[DONE]`, `end` or `cut` nothing more goes out.
 */
export interface StreamTap {
  push(chunk: Buffer): readonly Buffer[]
  /** The upstream is through. Returns what must still be written, such as a withheld or synthetic end. */
  end(): readonly Buffer[]
  /** We end the stream early, and honestly: open choices finish with `length`, then usage if wanted, then the end. */
  cut(): readonly Buffer[]
  /** Ends the stream with an error of ours, where the dialect counts what it says. Absent: any frame will do. */
  fail?(request: ErrorRequest): readonly Buffer[]
  /** Data frames handed on. While it is 0 the caller has had nothing but comments. */
  readonly frames: number
  readonly reading: Reading
}
