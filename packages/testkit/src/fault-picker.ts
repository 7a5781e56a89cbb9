import type { RecordFault, FaultMix } from './call-records.ts'

const FAULT_MODEL = /^fault-(.+)$/

/**
 * Decides the fault of each call: the one named by the model or the metadata, otherwise one drawn from the
 * mix with its seed.
 */
export class FaultPicker {
  readonly #mix: FaultMix | undefined
  #state: number

  constructor(mix: FaultMix | undefined) {
    this.#mix = mix
    this.#state = (mix?.seed ?? 0) >>> 0
  }

  next(asked: { model: string; named: string | undefined }): RecordFault | undefined {
    const named = asked.named ?? FAULT_MODEL.exec(asked.model)?.[1]
    if (named !== undefined) return isFault(named) ? named : undefined
    return this.#mix && this.#drawn(this.#mix)
  }

  #drawn(mix: FaultMix): RecordFault | undefined {
    let rest = Math.floor(this.#random() * 1000)
    for (const [name, share] of Object.entries(mix.perMille)) {
      rest -= share
      if (rest < 0 && isFault(name)) return name
    }
    return undefined
  }

  /** The Mulberry32 generator: small, seeded, and good enough to mix faults. */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const faults: ReadonlySet<string> = new Set<RecordFault>([
  'status-400',
  'status-401',
  'status-429',
  'status-500',
  'status-503',
  'html',
  'garbage',
  'empty',
  'hang',
  'reset-before-head',
  'reset-after-head',
  'half-frame',
  'error-inside',
  'error-mid-stream',
  'usage-missing',
  'usage-insane',
  'usage-early',
  'slow',
])

function isFault(name: string): name is RecordFault {
  return faults.has(name)
}
