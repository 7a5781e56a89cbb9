export interface MemoryBudgetLimits {
  readonly userRememberedBytesMax: number
  readonly allRememberedBytesMax: number
}

/** Bytes that all connections of the process remember, and those of one user. */
export class MemoryBudget {
  readonly #limits: MemoryBudgetLimits
  readonly #users = new Map<number, number>()
  used = 0

  constructor(limits: MemoryBudgetLimits) {
    this.#limits = limits
  }

  /** False when there is no room; then nothing is taken. */
  take(userId: number, bytes: number): boolean {
    const ofUser = (this.#users.get(userId) ?? 0) + bytes
    const { userRememberedBytesMax, allRememberedBytesMax } = this.#limits
    if (ofUser > userRememberedBytesMax || this.used + bytes > allRememberedBytesMax) return false
    this.#users.set(userId, ofUser)
    this.used += bytes
    return true
  }

  give(userId: number, bytes: number): void {
    const left = (this.#users.get(userId) ?? 0) - bytes
    if (left > 0) this.#users.set(userId, left)
    else this.#users.delete(userId)
    this.used -= bytes
  }
}
