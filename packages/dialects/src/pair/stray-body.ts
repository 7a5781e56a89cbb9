import type { Reading } from '../dialect.ts'
import type { PairRules } from './pair.ts'
import { readWholeAsStream } from './read-whole.ts'

/** First bytes of a JSON text or an HTML page. */
const FOREIGN: ReadonlySet<number> = new Set(Buffer.from('{[<'))
const BYTES_MAX = 32 * 1024 * 1024
const TOO_LONG = Buffer.from('{')

/** A response body that is not the requested stream: a JSON error, a whole response, or an HTML page. */
export class StrayBody {
  readonly #chunks: Buffer[] = []
  #size = 0

  /** Decides by the first visible byte. `undefined`: there was only white space so far. */
  static isStray(chunk: Buffer): boolean | undefined {
    const first = chunk.find((byte) => byte > 0x20)
    return first === undefined ? undefined : FOREIGN.has(first)
  }

  /** A body over the limit cannot be converted, so its bytes are discarded. */
  add(chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size <= BYTES_MAX) this.#chunks.push(chunk)
  }

  read(rules: PairRules): { readonly reading: Reading; readonly output: readonly Buffer[] } {
    const whole = this.#size > BYTES_MAX ? TOO_LONG : Buffer.concat(this.#chunks)
    const { bytes, reading } = readWholeAsStream(whole, rules)
    return { reading, output: reading.error === undefined ? [bytes] : [] }
  }
}
