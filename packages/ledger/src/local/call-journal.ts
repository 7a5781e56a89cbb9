import type { JournalLine } from '../journal/line.ts'

/** The journal, as far as calls need it. */
export interface CallJournal {
  /** The line is in the file when this returns: its position, or `undefined` when it could not be written. */
  write(line: JournalLine): number | undefined
  /** The line is in the file when `written` resolves. Returns its position, or `undefined` when it is refused. */
  append(line: JournalLine): number | undefined
  /** Resolves at the end of this turn of the event loop, to false when what was appended could not be written. */
  written(): Promise<boolean>
  /** Whether new calls may be admitted: the journal can be written, and folding keeps up. */
  readonly isReady: boolean
}
