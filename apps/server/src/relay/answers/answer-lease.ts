const KIB = 1024
/** Answers up to this size may use the whole budget of the process; larger ones leave a quarter of it free. */
export const ORDINARY_BYTES = 1024 * KIB
/** Room is taken in steps: small ones up to a mebibyte, and of a mebibyte beyond it. */
const SMALL_STEP_BYTES = 64 * KIB
const STEP_BYTES = 1024 * KIB

/** Who fills the room that an answer waits for: all users together, or its own user. */
export type FullRoom = 'process' | 'user'

/** What gives the room. */
interface RoomGiver {
  /** Tries to make a lease hold what it needs; otherwise the lease hears when there is room. */
  settle(lease: AnswerLease): void
  end(lease: AnswerLease): void
}

/** The call to which an answer belongs. */
export interface LeaseHolder {
  readonly userId: number
  /** Called when the answer has the room that it waited for. */
  readonly onRoom: () => void
  /** Bytes that the caller's socket has taken so far, and whether it has more to take. */
  readonly progress: () => CallerProgress
  /** Ends the connection of a caller who takes too little. */
  readonly cut: () => void
}

export interface CallerProgress {
  readonly takenBytes: number
  readonly isPending: boolean
}

/** The room of one answer. */
export class AnswerLease {
  readonly #budget: RoomGiver
  readonly #holder: LeaseHolder
  #isOver = false
  /** How much more the answer needs is not known yet. */
  isGrowing = false
  neededBytes = 0
  /** The room that it has; written by the budget only. */
  bytes = 0
  /** The full room that the answer waits for; written by the budget only. */
  waitsFor: FullRoom | undefined
  /** What the caller had taken when the current time of measuring began, and whether the one before was too slow. */
  pace: { readonly at: number; readonly takenBytes: number; readonly isSlow: boolean } | undefined

  constructor(budget: RoomGiver, holder: LeaseHolder) {
    this.#budget = budget
    this.#holder = holder
  }

  get userId(): number {
    return this.#holder.userId
  }

  get isWaiting(): boolean {
    return this.waitsFor !== undefined
  }

  /** Says how many bytes the answer holds from now on. Returns whether there is room for them. */
  need(bytes: number, isGrowing: boolean): boolean {
    if (this.#isOver) return true
    this.isGrowing = isGrowing
    this.neededBytes = bytes
    if (!this.isWaiting && roundUp(bytes) === this.bytes) return true
    this.#budget.settle(this)
    return !this.isWaiting
  }

  /** Called by the budget. */
  served(): void {
    this.#holder.onRoom()
  }

  progress(): CallerProgress {
    return this.#holder.progress()
  }

  cut(): void {
    this.#holder.cut()
  }

  /** Gives all room back, once. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#budget.end(this)
  }
}

/** The room for this many bytes. */
export function roundUp(bytes: number): number {
  const step = bytes > ORDINARY_BYTES ? STEP_BYTES : SMALL_STEP_BYTES
  return Math.ceil(bytes / step) * step
}
