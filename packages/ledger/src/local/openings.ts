import type { ReserveResult } from '../results.ts'
import type { LocalCall } from './local-call.ts'

export interface OpeningsParts {
  /** Resolves when the lines appended so far are in the journal, to false when they could not be written. */
  readonly written: () => Promise<boolean>
  /** Ends a call that was refused. */
  readonly release: (call: LocalCall) => void
}

interface Opening {
  readonly calls: LocalCall[]
  readonly written: Promise<boolean>
  readonly result: Promise<ReserveResult>
}

const RESERVED: ReserveResult = { type: 'reserved' }
const UNAVAILABLE: ReserveResult = { type: 'unavailable' }

/** Calls whose `opened` lines are not in the journal yet. Those of one write share a promise. */
export class Openings {
  readonly #parts: OpeningsParts
  #last: Opening | undefined

  constructor(parts: OpeningsParts) {
    this.#parts = parts
  }

  /** Resolves when the call may go on, or was ended because its line could not be written. */
  add(call: LocalCall): Promise<ReserveResult> {
    const written = this.#parts.written()
    if (this.#last?.written !== written) this.#last = this.#begin(written)
    this.#last.calls.push(call)
    return this.#last.result
  }

  #begin(written: Promise<boolean>): Opening {
    const calls: LocalCall[] = []
    const result = written.then((isWritten) => (isWritten ? RESERVED : this.#refuse(calls)))
    return { calls, written, result }
  }

  /** The lines may reach a later file, then together with the ends of the calls. */
  #refuse(calls: readonly LocalCall[]): ReserveResult {
    for (const call of calls) this.#parts.release(call)
    return UNAVAILABLE
  }
}
