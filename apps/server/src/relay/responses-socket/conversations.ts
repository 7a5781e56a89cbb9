import type { MemoryBudget } from './memory-budget.ts'

export interface ConversationsInput {
  readonly userId: number
  readonly budget: MemoryBudget
  readonly bytesMax: number
}

export interface RememberedTurn {
  readonly id: string
  /** The response that the turn continued, which must be remembered; `undefined` for a first turn. */
  readonly previousId: string | undefined
  /** The items of its input and of its output, in order; each of the buffers has one or more, without brackets. */
  readonly items: readonly Buffer[]
}

/** A response and the items that it added; the earlier ones belong to the response before it. */
interface Turn {
  readonly items: readonly Buffer[]
  readonly bytes: number
  readonly previous: Turn | undefined
  /** How many need it: its id, and the turns that continue it. */
  needed: number
}

/** Responses of a connection that can be continued; the items of a turn count for their bytes and a little more. */
const TURNS_MAX = 64
const TURN_BYTES = 512

/**
 * The conversations of one connection, so that a call sends only what is new. The oldest responses are forgotten
 * when there are too many or their items take too many bytes; their items stay while a later response needs them.
 */
export class Conversations {
  readonly #input: ConversationsInput
  /** Oldest first. */
  readonly #turns = new Map<string, Turn>()
  #bytes = 0

  constructor(input: ConversationsInput) {
    this.#input = input
  }

  get bytes(): number {
    return this.#bytes
  }

  /** All items up to and including those of this response; `undefined` when it is not remembered. */
  itemsOf(id: string): readonly Buffer[] | undefined {
    const found = this.#turns.get(id)
    if (found === undefined) return undefined
    const turns: Turn[] = []
    for (let turn: Turn | undefined = found; turn !== undefined; turn = turn.previous) turns.push(turn)
    return turns.toReversed().flatMap(({ items }) => items)
  }

  /** Does nothing when there is no room for it, or when the turn before it has been forgotten meanwhile. */
  remember({ id, previousId, items }: RememberedTurn): void {
    const previous = previousId === undefined ? undefined : this.#turns.get(previousId)
    if (previousId !== undefined && previous === undefined) return
    const bytes = items.reduce((sum, { length }) => sum + length, TURN_BYTES)
    // Needed by the new turn, so that making room does not free it.
    if (previous !== undefined) previous.needed++
    if (!this.#makeRoom(bytes)) return this.#release(previous)
    this.forget(id)
    this.#turns.set(id, { items, bytes, previous, needed: 1 })
  }

  forget(id: string): void {
    const turn = this.#turns.get(id)
    this.#turns.delete(id)
    this.#release(turn)
  }

  clear(): void {
    for (const id of this.#turns.keys()) this.forget(id)
  }

  #makeRoom(bytes: number): boolean {
    const { userId, budget, bytesMax } = this.#input
    for (;;) {
      const fits = this.#turns.size < TURNS_MAX && this.#bytes + bytes <= bytesMax
      if (fits && budget.take(userId, bytes)) {
        this.#bytes += bytes
        return true
      }
      const [oldest] = this.#turns.keys()
      if (oldest === undefined) return false
      this.forget(oldest)
    }
  }

  /** Frees a turn that nothing needs any more, and with it those before it. */
  #release(from: Turn | undefined): void {
    const { userId, budget } = this.#input
    for (let turn = from; turn !== undefined && --turn.needed === 0; turn = turn.previous) {
      this.#bytes -= turn.bytes
      budget.give(userId, turn.bytes)
    }
  }
}
