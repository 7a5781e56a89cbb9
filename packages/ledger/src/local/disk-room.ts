import type { JournalReserve } from '../journal/reserve.ts'

export interface DiskRoomParts {
  readonly reserve: Pick<
    JournalReserve,
    'adopt' | 'bytes' | 'cover' | 'isKept' | 'refill' | 'takeAs' | 'close'
  >
  /** True while the room that is set aside for the embedded database is used up. */
  readonly isShort: () => boolean
  /** The disk has no room: calls are refused from now on. */
  readonly onFull: () => void
  /** Calls are admitted again. */
  readonly onRoom: () => void
}

const CHECK_MS = 1_000

/**
 * Whether the disk has room for calls of this process. While it has none, calls are refused, and those in flight are
 * written to the reserve of the journal.
 */
export class DiskRoom {
  readonly #parts: DiskRoomParts
  #timer: NodeJS.Timeout | undefined
  readonly #onRoom = new Set<() => void>()
  #isFull = false

  constructor(parts: DiskRoomParts) {
    this.#parts = parts
    parts.reserve.adopt()
  }

  /** To be called once the journal has a file, because only the journal says why a folder cannot be used. */
  start(): void {
    const { reserve, isShort } = this.#parts
    if (isShort() || !reserve.refill()) this.noteFull()
    this.#timer = setInterval(() => this.#check(), CHECK_MS).unref()
  }

  get hasReserve(): boolean {
    return this.#parts.reserve.bytes > 0
  }

  get isFull(): boolean {
    return this.#isFull
  }

  /** Whether one more call than these may be admitted: each may need room of the reserve. */
  admits(calls: number): boolean {
    if (!this.#isFull && !this.#parts.reserve.cover(calls)) this.noteFull()
    return !this.#isFull
  }

  /** A file of the reserve becomes the next file of the journal. */
  takeAs(path: string): boolean {
    this.noteFull()
    return this.#parts.reserve.takeAs(path)
  }

  /** Something found no room on the disk. */
  noteFull(): void {
    if (this.#isFull) return
    this.#isFull = true
    this.#parts.onFull()
  }

  /** Calls this each time there is room again, until the returned function is called. */
  whenRoom(run: () => void): () => void {
    this.#onRoom.add(run)
    return () => this.#onRoom.delete(run)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#parts.reserve.close()
  }

  #check(): void {
    const { reserve, isShort, onRoom } = this.#parts
    if (isShort() || !reserve.isKept) this.noteFull()
    if (!this.#isFull || isShort() || !reserve.refill()) return
    this.#isFull = false
    for (const run of this.#onRoom) run()
    onRoom()
  }
}
