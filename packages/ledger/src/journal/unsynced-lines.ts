import type { JournalFile } from './journal-file.ts'
import type { JournalLine } from './line.ts'
import type { LinePlace } from './record.ts'

/** The lines that are not known to be on the disk, in order. They are written again if their file fails. */
export class UnsyncedLines {
  #lines: JournalLine[] = []
  #ends: number[] = []
  readonly #places = new Map<JournalLine, readonly LinePlace[]>()

  get length(): number {
    return this.#lines.length
  }

  /** @param end In the current file; infinite if the line is in no file yet. */
  add(line: JournalLine, end: number): void {
    this.#lines.push(line)
    this.#ends.push(end)
  }

  /** The number of lines that end at or before this offset of the current file. */
  countUpTo(end: number): number {
    const after = this.#ends.findIndex((lineEnd) => lineEnd > end)
    return after < 0 ? this.#ends.length : after
  }

  dropFirst(count: number): void {
    for (const line of this.#lines.splice(0, count)) this.#places.delete(line)
    this.#ends.splice(0, count)
  }

  /** Writes all lines into another file. Call {@link moved} when they arrived there. */
  copyInto(next: JournalFile, current: JournalFile | undefined): number[] {
    return this.#lines.map((line, index) => next.append(line, this.#placesOf(line, index, current)))
  }

  /** The lines now stand in another file with these ends. */
  moved(ends: readonly number[], previous: JournalFile | undefined): void {
    for (const [index, line] of this.#lines.entries()) {
      const places = this.#placesOf(line, index, previous)
      if (places.length > 0) this.#places.set(line, places)
    }
    this.#ends = [...ends]
  }

  /** Only written lines have a place; the position of a file can reach no other. */
  #placesOf(line: JournalLine, index: number, file: JournalFile | undefined): readonly LinePlace[] {
    const earlier = this.#places.get(line) ?? []
    const end = this.#ends[index] ?? Infinity
    return file === undefined || end > file.end ? earlier : [...earlier, { fileId: file.fileId, end }]
  }
}
