import type { OpeningBalance } from '@tollgate/importer/figures'
import type { Note, NoteCode } from '@tollgate/importer/note'
import type { ImportLoss } from '@tollgate/importer/find-losses'
import type { AccountKind } from '@tollgate/ledger/account'

/** Counts of what happened to the rows of one table. */
export interface Tally {
  read: number
  /** New rows; on a dry run, the rows that would be written. */
  written: number
  /** Rows that an earlier import had already written. */
  known: number
  /** Rows left out, each with a note. */
  skipped: number
}

/** Totals over the accounts of one kind that were opened in this run. */
export interface Opened {
  accounts: number
  /** Spendable quota minus debt. */
  remaining: bigint
  used: bigint
}

const EXAMPLES_MAX = 1_000

/** Collects everything that an import reports while it runs. */
export class Report {
  readonly tables = new Map<string, Tally>()
  readonly #opened = new Map<AccountKind, Opened>()
  /** Counts of rows that are derived here from other rows. */
  readonly derived = new Map<string, number>()
  /** What the source holds and this database does not keep. */
  readonly losses: ImportLoss[] = []
  /** Reasons why nothing can be imported. */
  readonly obstacles: string[] = []
  readonly #notes = new Map<NoteCode, { count: number; examples: Note[] }>()
  readonly groups = new Set<string>()

  tally(table: string): Tally {
    const known = this.tables.get(table)
    if (known) return known
    const fresh = { read: 0, written: 0, known: 0, skipped: 0 }
    this.tables.set(table, fresh)
    return fresh
  }

  open(kind: AccountKind, { remaining, used }: OpeningBalance): void {
    const known = this.#opened.get(kind) ?? { accounts: 0, remaining: 0n, used: 0n }
    known.accounts++
    known.remaining += remaining
    known.used += used
    this.#opened.set(kind, known)
  }

  get opened(): ReadonlyMap<AccountKind, Readonly<Opened>> {
    return this.#opened
  }

  note(...notes: readonly Note[]): void {
    for (const note of notes) {
      const known = this.#notes.get(note.code) ?? { count: 0, examples: [] }
      this.#notes.set(note.code, known)
      known.count++
      if (known.examples.length < EXAMPLES_MAX) known.examples.push(note)
    }
  }

  get notes(): ReadonlyMap<NoteCode, { readonly count: number; readonly examples: readonly Note[] }> {
    return this.#notes
  }

  get hasWritten(): boolean {
    return [...this.tables.values()].some(({ written }) => written > 0)
  }
}
