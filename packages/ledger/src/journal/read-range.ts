import type { PositionedEnd, RangeContent, ReadRange } from '../core/journal-range.ts'
import type { RejectedLine } from '../inputs.ts'
import { OpenCalls } from './open-calls.ts'
import { type JournalEntry, type JournalGap, JournalReader, isFolded } from './read-journal.ts'

/** Readers are kept between the ranges of a file, because a price stands only before its first line. */
const READERS_MAX = 4

/** Reads ranges of journal files for folding. Keeps files open; belongs to the thread that folds. */
export class RangeReader {
  readonly #readers = new Map<string, JournalReader>()

  /** Reads the ends of calls within a range, and for the last range the calls that never ended. */
  readonly read: ReadRange = (range, positionOf) => {
    const { path, to, from, last } = range
    const begin = Math.min(last?.openFrom ?? from, from)
    const reader = this.#readerAt(path, begin)
    const { lines, gaps } = reader.read({ to })
    if (last) this.#close(path)
    const ends = lines.flatMap((entry) => endOf(entry, from, positionOf))
    return { ends, interrupted: last ? interruptedIn(lines) : [], unreadable: gaps.flatMap(unreadable) }
  }

  #readerAt(path: string, begin: number): JournalReader {
    const known = this.#readers.get(path)
    if (known?.position === begin) return known
    this.#close(path)
    for (const [oldest] of this.#readers) if (this.#readers.size >= READERS_MAX) this.#close(oldest)
    const reader = new JournalReader(path)
    reader.skipTo(begin)
    this.#readers.set(path, reader)
    return reader
  }

  #close(path: string): void {
    this.#readers.get(path)?.close()
    this.#readers.delete(path)
  }
}

/** Lines before the range are read only to know which calls are open. */
function endOf(
  entry: JournalEntry,
  from: number,
  positionOf: (fileId: string) => number,
): readonly PositionedEnd[] {
  const { line, end } = entry
  if (line.type !== 'settled' && line.type !== 'released') return []
  return end > from && !isFolded(entry, positionOf) ? [{ end: line, to: end }] : []
}

function interruptedIn(lines: readonly JournalEntry[]): RangeContent['interrupted'] {
  const open = new OpenCalls()
  for (const entry of lines) open.add(entry)
  return open.calls()
}

/** A torn tail is what a dying process did not finish to write; nothing of it was acknowledged. */
function unreadable({ reason, from, to, missing, isTail }: JournalGap): readonly RejectedLine[] {
  if (isTail) return []
  return [
    { position: from, line: '', reason: `${reason}: ${missing} lines up to position ${to} cannot be read` },
  ]
}
