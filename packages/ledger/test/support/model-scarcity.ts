interface Row {
  readonly amount: bigint
  readonly free: bigint
  readonly openHolds: number
  exactUntil: number
}

export interface ModelContext {
  readonly instanceId: string
  readonly nowMs: number
}

type Others = (account: number, instanceId: string) => readonly Row[]

/** Which accounts of the reference model are scarce, and which processes know it. */
export class ModelScarcity {
  readonly #until = new Map<number, number>()
  readonly #others: Others

  constructor(others: Others) {
    this.#others = others
  }

  isScarce(account: number, nowMs: number): boolean {
    const until = this.#until.get(account)
    return until !== undefined && nowMs < until + 2_000
  }

  /** The end of the scarcity that a grant reports to its process; 0 when the account is not scarce. */
  untilOf(account: number, nowMs: number): number {
    const until = this.#until.get(account) ?? 0
    return until > nowMs ? until : 0
  }

  /** The process has returned its free quota. Returns what it did not know. */
  note(account: number, row: Row | undefined, nowMs: number): readonly object[] {
    const unknown = this.unknown(account, row, nowMs)
    if (row && unknown.length > 0) row.exactUntil = this.untilOf(account, nowMs)
    return unknown
  }

  unknown(account: number, row: Row | undefined, nowMs: number): readonly object[] {
    const untilMs = this.untilOf(account, nowMs)
    return row === undefined || untilMs === 0 || row.exactUntil >= untilMs ? [] : [{ account, untilMs }]
  }

  elsewhere(account: number, { instanceId, nowMs }: ModelContext): object | undefined {
    const others = this.#others(account, instanceId).filter((row) => row.amount > 0n || row.openHolds > 0)
    if (others.length === 0) return undefined
    const mayReturn = others.some((row) => !isExact(row, nowMs))
    if (mayReturn) this.#mark(account, nowMs)
    return { account, untilMs: this.#until.get(account) ?? 0, mayReturn }
  }

  recall(accounts: readonly number[], { instanceId, nowMs }: ModelContext): unknown {
    const waiting = accounts.filter((account) =>
      this.#others(account, instanceId).some((row) => !isExact(row, nowMs)),
    )
    for (const account of waiting) this.#mark(account, nowMs)
    return { type: 'recalled', waiting }
  }

  #mark(account: number, nowMs: number): void {
    if ((this.#until.get(account) ?? 0) < nowMs + 2_500) this.#until.set(account, nowMs + 5_000)
  }
}

function isExact({ exactUntil, free }: Row, nowMs: number): boolean {
  return exactUntil > nowMs && free === 0n
}
