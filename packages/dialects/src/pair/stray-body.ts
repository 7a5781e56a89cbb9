import type { Reading } from '../dialect.ts'
import type { PairRules } from './pair.ts'
import { readWholeAsStream } from './read-whole.ts'

/** What a JSON text or a web page begins with. */
const FOREIGN: ReadonlySet<number> = new Set(Buffer.from('{[<'))
const BYTES_MAX = 32 * 1024 * 1024
const TOO_LONG = Buffer.from('{')

/** A body that was asked for as a stream and came as something else: a JSON error, a whole answer, a web page. */
export class StrayBody {
  readonly #chunks: Buffer[] = []
  #size = 0

  /** Decides by the first byte that says anything. `undefined`: nothing was said yet. */
  static isStray(chunk: Buffer): boolean | undefined {
    const first = chunk.find((byte) => byte > 0x20)
    return first === undefined ? undefined : FOREIGN.has(first)
  }

  /** Beyond the limit it cannot be answered with, and is forgotten. */
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
