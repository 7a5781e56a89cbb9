import type { Reading, UsageReader } from '../dialect.ts'
import { readAnswer } from './answer.ts'
import { replayAsStream } from './replay.ts'

export interface ForeignRules {
  readonly operation: 'chat' | 'completions'
  readonly readUsage: UsageReader
  readonly forwardsUsage: boolean
  readonly errorInside?: (chunk: Readonly<Record<string, unknown>>) => string | undefined
}

/** A response body that is not the requested stream: a JSON error, a whole response, or an HTML page. */
export class ForeignBody {
  readonly #bytesMax: number
  readonly #chunks: Buffer[] = []
  #size = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** A body over the limit cannot be forwarded, so its bytes are discarded. */
  add(chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size <= this.#bytesMax) this.#chunks.push(chunk)
  }

  read(rules: ForeignRules): { readonly reading: Reading; readonly output: readonly Buffer[] } {
    const whole = this.#size > this.#bytesMax ? TOO_LONG : Buffer.concat(this.#chunks)
    const { bytes, reading } = readAnswer({ ...rules, bytes: whole })
    if (reading.error !== undefined) return { reading, output: [] }
    return { reading, output: [replayAsStream(bytes, rules)] }
  }
}

const TOO_LONG = Buffer.from('{')
