import type { CallCheckpoint, JournalLine, OpenedCall } from './line.ts'

export interface OpenCall {
  readonly call: OpenedCall
  readonly checkpoint: CallCheckpoint | undefined
}

interface Tracked {
  readonly offset: number
  readonly call: OpenedCall
  checkpoint: CallCheckpoint | undefined
}

/**
 * The calls that were opened and not ended in the lines read so far. To recover an instance, give it the lines
 * of all its files in order: a call may end in a later file than it began.
 */
export class OpenCalls {
  /** In the order of their offsets. */
  readonly #calls = new Map<string, Tracked>()

  add({ offset, line }: { readonly offset: number; readonly line: JournalLine }): void {
    switch (line.type) {
      case 'opened':
        return this.#open(offset, line)
      case 'checkpoint': {
        const tracked = this.#calls.get(line.holdId)
        if (tracked !== undefined) tracked.checkpoint = line
        return
      }
      case 'settled':
      case 'released':
        this.#calls.delete(line.holdId)
    }
  }

  get size(): number {
    return this.#calls.size
  }

  /** A later reader of the current file must begin here to know these calls; `undefined` if there are none. */
  get openFrom(): number | undefined {
    return this.#calls.values().next().value?.offset
  }

  calls(): readonly OpenCall[] {
    return [...this.#calls.values()].map(({ call, checkpoint }) => ({ call, checkpoint }))
  }

  /** A line that is repeated at the beginning of the next file moves the call there. */
  #open(offset: number, call: OpenedCall): void {
    const checkpoint = this.#calls.get(call.holdId)?.checkpoint
    this.#calls.delete(call.holdId)
    this.#calls.set(call.holdId, { offset, call, checkpoint })
  }
}
