import { inStage } from '@tollgate/kit/turn'
import type { JournalLine } from '../journal/line.ts'
import { lineEnds } from '../journal/line-ends.ts'
import { JournalWriter, type JournalWriterOptions } from '../journal/write-journal.ts'
import type { DiskRoom } from './disk-room.ts'
import type { UnfoldedRange } from './unfolded-range.ts'
import { journalNotUsable } from './journal-problems.ts'

/** A file of this process, and how far it is folded. */
interface Segment {
  readonly fileId: string
  readonly path: string
  folded: number
  /** Where readers stop; `undefined` for the file that is being written. */
  end: number | undefined
  /** Positions after lines, a range apart, where a range may end. */
  readonly marks: number[]
}

type ProcessRoom = Pick<DiskRoom, 'hasReserve' | 'isFull' | 'takeAs' | 'whenRoom'>

export interface ProcessJournalOptions extends Pick<
  JournalWriterOptions,
  'folder' | 'databaseId' | 'instanceId' | 'clock' | 'syncMs' | 'onFailure' | 'fs' | 'fileBytesMax'
> {
  readonly unfoldedBytesMax?: number
  readonly openCalls: () => Iterable<JournalLine>
  readonly onNextFile: () => void
  /** To be called when there is something to fold. */
  readonly onWritten: () => void
  /** What becomes of calls when the disk has no room. */
  readonly room?: ProcessRoom | undefined
  /** At most this many bytes are read and folded at once. */
  readonly rangeBytesMax?: number | undefined
}

/** At most this many lines that were folded before are folded again in one transaction. */
const LINES_AT_ONCE = 1_000
const RANGE_BYTES_MAX = 4 * 1024 * 1024
const UNFOLDED_BYTES_MAX = 64 * 1024 * 1024

/** The journal of this process, and what of it is not in the ledger yet. */
export class ProcessJournal {
  readonly #options: ProcessJournalOptions
  readonly #writer: JournalWriter
  readonly #segments: Segment[] = []
  #unfoldedSinceMs: number | undefined
  /** Lines that are buffered until the end of this turn of the event loop. */
  #group: Group | undefined
  readonly #stopWaiting: (() => void) | undefined
  /** When the range that is being folded was taken. */
  #takenMs = 0

  constructor(options: ProcessJournalOptions) {
    this.#options = options
    this.#writer = this.#openWriter()
    this.#addSegment()
    this.#stopWaiting = options.room?.whenRoom(() => this.#writer.leaveReserve())
  }

  /** Whether calls may be admitted. */
  get isReady(): boolean {
    const { unfoldedBytesMax = UNFOLDED_BYTES_MAX } = this.#options
    return this.#writer.canWrite && !this.#isFull && this.unfoldedBytes < unfoldedBytesMax
  }

  get #isFull(): boolean {
    return this.#options.room?.isFull ?? false
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
    const { fileId } = this.#writer
    const from = this.append(line)
    if (from === undefined) return undefined
    if (!this.#flush() && line.type === 'opened') return undefined
    return this.#writer.fileId === fileId ? from : 0
  }

  /**
   * Buffers a line; it is in the file when `written` resolves. Returns where a reader must begin to find it, or
   * `undefined` when a call cannot be opened.
   */
  append(line: JournalLine): number | undefined {
    const from = this.#writer.position
    if (line.type === 'opened' && this.#isFull) return undefined
    try {
      this.#writer.append(line)
    } catch (error) {
      if (line.type === 'opened') return undefined
      if (this.#writer.canWrite) throw error
    }
    return from
  }

  /**
   * Writes what is buffered at the end of this turn of the event loop, with one operation for all lines of the turn.
   * Resolves to false when it could not be written: then ends of calls are kept and written later.
   */
  written(): Promise<boolean> {
    this.#group ??= newGroup(() => this.#flush())
    return this.#group.written
  }

  sync(): Promise<void> {
    this.#flushGroup()
    return this.#writer.sync()
  }

  /** The oldest range that is not in the ledger, or `undefined`. */
  next(): UnfoldedRange | undefined {
    for (;;) {
      this.#flushGroup()
      const [segment] = this.#segments
      if (segment === undefined) return undefined
      const { fileId, path, folded, end } = segment
      const to = segment.marks[0] ?? end ?? this.#writer.position
      const isComplete = end === undefined && to === this.#writer.position
      this.#takenMs = this.#options.clock.nowMs()
      if (folded < to) return { fileId, path, from: folded, to, isComplete }
      if (end === undefined) return undefined
      this.#segments.shift()
    }
  }

  /** The empty range where the journal ends; everything before is in the ledger. */
  end(): UnfoldedRange {
    const { fileId, path, position } = this.#writer
    return { fileId, path, from: position, to: position, isComplete: true }
  }

  /** Whether nothing was written or buffered behind the range, and everything before is in the file. */
  isAtEnd({ fileId, to }: UnfoldedRange): boolean {
    const { canWrite, position } = this.#writer
    return canWrite && this.#group === undefined && this.#writer.fileId === fileId && position === to
  }

  /** The file is in the ledger up to this position. */
  done({ fileId }: UnfoldedRange, position: number): void {
    const segment = this.#segments.find((each) => each.fileId === fileId)
    if (segment) this.#foldedTo(segment, position)
    this.#unfoldedSinceMs = this.unfoldedBytes > 0 ? this.#takenMs : undefined
  }

  /** If the database was set back, what it lost is read again in ranges. */
  #foldedTo(segment: Segment, position: number): void {
    const { path, folded, marks } = segment
    if (position < folded) {
      const ends = lineEnds(path, { from: position, to: folded, lines: LINES_AT_ONCE })
      marks.unshift(...ends, folded)
    }
    segment.folded = position
    while (marks[0] !== undefined && marks[0] <= position) marks.shift()
  }

  /** Closes the file; everything written before is forced to the disk. */
  close(): Promise<void> {
    this.#stopWaiting?.()
    this.#flushGroup()
    return this.#writer.close()
  }

  /** The accounts in memory include what is buffered, so that what is read and reported must include it, too. */
  #flushGroup(): void {
    if (this.#group) this.#flush()
  }

  #flush(): boolean {
    const isWritten = this.#tryWrite()
    this.#mark()
    this.#unfoldedSinceMs ??= this.#options.clock.nowMs()
    this.#options.onWritten()
    const group = this.#group
    this.#group = undefined
    group?.end(isWritten)
    return isWritten
  }

  #mark(): void {
    const segment = this.#segments.at(-1)
    if (segment === undefined) return
    const { rangeBytesMax = RANGE_BYTES_MAX } = this.#options
    const last = segment.marks.at(-1) ?? segment.folded
    if (this.#writer.position - last >= rangeBytesMax) segment.marks.push(this.#writer.position)
  }

  #tryWrite(): boolean {
    try {
      this.#writer.write()
      return true
    } catch (error) {
      if (this.#writer.canWrite) throw error
      return false
    }
  }

  #openWriter(): JournalWriter {
    try {
      const { room } = this.#options
      const reserve = room?.hasReserve === true ? room : undefined
      return new JournalWriter({ ...this.#options, reserve, onNextFile: ({ end }) => this.#continue(end) })
    } catch (error) {
      throw journalNotUsable(this.#options.folder, error)
    }
  }

  #continue(end: number): void {
    const previous = this.#segments.at(-1)
    if (previous) endAt(previous, end)
    this.#addSegment()
    this.#options.onNextFile()
  }

  #addSegment(): void {
    const { fileId, path } = this.#writer
    this.#segments.push({ fileId, path, folded: 0, end: undefined, marks: [] })
  }
}

/** Lines behind the end are repeated in the next file. */
function endAt(segment: Segment, end: number): void {
  segment.end = end
  while ((segment.marks.at(-1) ?? 0) > end) segment.marks.pop()
}

interface Group {
  readonly written: Promise<boolean>
  /** Tells whether everything that was buffered is in the file. */
  readonly end: (isWritten: boolean) => void
}

function newGroup(flush: () => void): Group {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let isOver = false
  inStage('write', () => {
    if (!isOver) flush()
  })
  return {
    written: promise,
    end: (isWritten) => {
      isOver = true
      resolve(isWritten)
    },
  }
}
