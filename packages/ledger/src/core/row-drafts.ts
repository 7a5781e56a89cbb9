/** Rows of one table while a batch is being decided: each is read at most once and written at most once. */
export class RowDrafts<Row> {
  readonly #read: (key: string) => Row | undefined
  readonly #drafts = new Map<string, RowDraft<Row>>()

  constructor(read: (key: string) => Row | undefined) {
    this.#read = read
  }

  get(key: string): Row | undefined {
    return this.#draft(key).now
  }

  put(key: string, row: Row): void {
    this.#drafts.set(key, { ...this.#draft(key), now: row })
  }

  end(key: string): void {
    this.#drafts.set(key, { before: this.#draft(key).before, now: undefined, hasEnded: true })
  }

  /** The current rows among those that were read or put. */
  *known(): Generator<Row> {
    for (const { now } of this.#drafts.values()) if (now !== undefined) yield now
  }

  /** `ended` rows are to be deleted before the `added` are inserted, because a key may be used again. */
  changes(): RowChanges<Row> {
    const drafts = [...this.#drafts.values()]
    return {
      ended: drafts.flatMap(({ before, hasEnded }) => (before && hasEnded ? [before] : [])),
      added: drafts.flatMap(({ before, now, hasEnded }) => (now && (!before || hasEnded) ? [now] : [])),
      changed: drafts.flatMap(({ before, now, hasEnded }) =>
        before && now && !hasEnded && before !== now ? [now] : [],
      ),
    }
  }

  #draft(key: string): RowDraft<Row> {
    const known = this.#drafts.get(key)
    if (known) return known
    const read = this.#read(key)
    const draft = { before: read, now: read, hasEnded: false }
    this.#drafts.set(key, draft)
    return draft
  }
}

interface RowDraft<Row> {
  readonly before: Row | undefined
  readonly now: Row | undefined
  /** The stored row has ended in this batch. `now`, if set, is a new row with the same key. */
  readonly hasEnded: boolean
}

export interface RowChanges<Row> {
  readonly ended: readonly Row[]
  readonly added: readonly Row[]
  readonly changed: readonly Row[]
}
