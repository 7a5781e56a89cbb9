import type { JournalLine } from '../journal/line.ts'
import { JournalWriter, type JournalWriterOptions } from '../journal/write-journal.ts'
import type { UnfoldedRange } from './fold-loop.ts'
import { journalNotUsable } from './journal-problems.ts'

/** A file of this process, and how far it is folded. */
interface Segment {
  readonly fileId: string
  readonly path: string
  folded: number
  /** Where readers stop; `undefined` for the file that is being written. */
  end: number | undefined
}

export interface ProcessJournalOptions extends Pick<
  JournalWriterOptions,
  'folder' | 'databaseId' | 'instanceId' | 'clock' | 'syncMs' | 'onFailure' | 'fs'
> {
  readonly unfoldedBytesMax?: number
  readonly openCalls: () => Iterable<JournalLine>
  readonly onNextFile: () => void
  /** To be called when there is something to fold. */
  readonly onWritten: () => void
  /** At most this many bytes are read and folded at once. */
  readonly rangeBytesMax?: number | undefined
}

const RANGE_BYTES_MAX = 4 * 1024 * 1024
const UNFOLDED_BYTES_MAX = 64 * 1024 * 1024

/** The journal of this process, and what of it is not in the ledger yet. */
export class ProcessJournal {
  readonly #options: ProcessJournalOptions
  readonly #writer: JournalWriter
  readonly #segments: Segment[] = []
  /** Positions after lines, a range apart, where a range may end. */
  readonly #marks: number[] = []
  #unfoldedSinceMs: number | undefined
  /** When the range that is being folded was taken. */
  #takenMs = 0

  constructor(options: ProcessJournalOptions) {
    this.#options = options
    this.#writer = this.#openWriter()
    this.#addSegment()
  }

  /** Whether calls may be admitted. */
  get isReady(): boolean {
    const { unfoldedBytesMax = UNFOLDED_BYTES_MAX } = this.#options
    return this.#writer.canWrite && this.unfoldedBytes < unfoldedBytesMax
  }

  get unfoldedBytes(): number {
    let bytes = 0
    for (const { folded, end = this.#writer.position } of this.#segments) bytes += Math.max(0, end - folded)
    return bytes
  }

  /** When the oldest unfolded line was written, roughly; `undefined` when everything is folded. */
  get unfoldedSinceMs(): number | undefined {
    return this.#unfoldedSinceMs
  }

  get path(): string {
    return this.#writer.path
  }

  /**
   * Writes a line. Returns where a reader must begin to find it, or `undefined` when a call cannot be opened.
   * Ends of calls are kept when no file can be written, and written later.
   */
  write(line: JournalLine): number | undefined {
    const before = this.#writer.position
    const { fileId } = this.#writer
    try {
      this.#writer.append(line)
      this.#writer.write()
    } catch (error) {
      if (line.type === 'opened') return undefined
      if (this.#writer.canWrite) throw error
    }
    const from = this.#writer.fileId === fileId ? before : 0
    const last = this.#marks.at(-1) ?? this.#segments.at(-1)?.folded ?? 0
    if (this.#writer.position - last >= (this.#options.rangeBytesMax ?? RANGE_BYTES_MAX))
      this.#marks.push(this.#writer.position)
    this.#unfoldedSinceMs ??= this.#options.clock.nowMs()
    this.#options.onWritten()
    return from
  }

  sync(): Promise<void> {
    return this.#writer.sync()
  }

  /** The oldest range that is not in the ledger, or `undefined`. */
  next(): UnfoldedRange | undefined {
    for (;;) {
      const [segment] = this.#segments
      if (segment === undefined) return undefined
      const { fileId, path, folded, end } = segment
      const mark = end === undefined ? this.#marks[0] : undefined
      const to = end ?? mark ?? this.#writer.position
      const isComplete = end === undefined && to === this.#writer.position
      this.#takenMs = this.#options.clock.nowMs()
      if (folded < to) return { fileId, path, from: folded, to, isComplete }
      if (end === undefined) return undefined
      this.#segments.shift()
    }
  }

  /** The file is in the ledger up to this position. */
  done({ fileId }: UnfoldedRange, position: number): void {
    const segment = this.#segments.find((each) => each.fileId === fileId)
    if (segment) segment.folded = position
    while (this.#marks[0] !== undefined && this.#marks[0] <= position) this.#marks.shift()
    this.#unfoldedSinceMs = this.unfoldedBytes > 0 ? this.#takenMs : undefined
  }

  /** Closes the file; everything written before is forced to the disk. */
  close(): Promise<void> {
    return this.#writer.close()
  }

  #openWriter(): JournalWriter {
    try {
      return new JournalWriter({ ...this.#options, onNextFile: ({ end }) => this.#continue(end) })
    } catch (error) {
      throw journalNotUsable(this.#options.folder, error)
    }
  }

  #continue(end: number): void {
    const previous = this.#segments.at(-1)
    if (previous) previous.end = end
    this.#marks.length = 0
    this.#addSegment()
    this.#options.onNextFile()
  }

  #addSegment(): void {
    const { fileId, path } = this.#writer
    this.#segments.push({ fileId, path, folded: 0, end: undefined })
  }
}
