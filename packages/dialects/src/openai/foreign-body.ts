import type { Reading, UsageReader } from '../dialect.ts'
import { readAnswer } from './answer.ts'
import { replayAsStream } from './replay.ts'

export interface ForeignRules {
  readonly operation: 'chat' | 'completions'
  readonly readUsage: UsageReader
  readonly forwardsUsage: boolean
  readonly errorInside?: (chunk: Readonly<Record<string, unknown>>) => string | undefined
}

/** A body that was asked for as a stream and came as something else: a JSON error, a whole answer, a web page. */
export class ForeignBody {
  readonly #bytesMax: number
  readonly #chunks: Buffer[] = []
  #size = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Beyond the limit it cannot be answered with, and is forgotten. */
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
