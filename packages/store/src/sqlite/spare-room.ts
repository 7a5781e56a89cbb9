import { rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { hasRoomIn, readDiskSpace, writeSpare } from '@tollgate/kit/disk-room'
import { StoreError } from '../database/errors.ts'

/** Writing the log or enlarging its index failed; SQLite does not pass the code of the system on. */
const MAYBE_NO_ROOM: ReadonlySet<number> = new Set([778, 4_874, 5_386])

/**
 * A file beside the database that is given up when a write finds no room: people can still sign in and shorten the
 * log, and charges that wait are written.
 */
export class SpareRoom {
  readonly #path: string
  /** Given up for a start on a full disk, when the other was given up before. */
  readonly #startPath: string
  readonly #folder: string
  readonly #bytes: number

  constructor(databasePath: string, bytes: number) {
    this.#path = `${databasePath}-spare`
    this.#startPath = `${databasePath}-start`
    this.#folder = dirname(databasePath)
    this.#bytes = bytes
  }

  get isKept(): boolean {
    return this.#bytes === 0 || (statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0) >= this.#bytes
  }

  /** Sets the room aside. Returns false when the disk has no room for it, or none beyond it. */
  keep(): boolean {
    if (this.#bytes === 0) return true
    if (this.isKept || writeSpare(this.#path, this.#bytes)) {
      if (this.#keepStart() && hasRoomIn(this.#folder)) return true
    }
    this.release()
    return false
  }

  release(): void {
    rmSync(this.#path, { force: true })
  }

  /** Before the database is opened: opening writes, so all room is given up when the disk has none. */
  makeWay(): void {
    if (this.#bytes === 0 || hasRoomIn(this.#folder)) return
    this.release()
    rmSync(this.#startPath, { force: true })
  }

  /** After a start on a full disk, half of what it left: people sign in with the rest, and the next start has some. */
  keepForNextStart(): void {
    const freeBytes = readDiskSpace(this.#folder)?.freeBytes ?? 0
    writeSpare(this.#startPath, Math.min(this.#startBytes, Math.floor(freeBytes / 2)))
  }

  get #startBytes(): number {
    return Math.ceil(this.#bytes / 4)
  }

  #keepStart(): boolean {
    const size = statSync(this.#startPath, { throwIfNoEntry: false })?.size ?? 0
    return size >= this.#startBytes || writeSpare(this.#startPath, this.#startBytes)
  }
}

/** Names an error of writing by its cause where that is a full disk. */
export function recognizeFullDisk(error: unknown, path: string): unknown {
  if (!(error instanceof StoreError) || error.kind !== 'fatal' || !MAYBE_NO_ROOM.has(error.code)) return error
  if (path === ':memory:' || hasRoomIn(dirname(path))) return error
  return new StoreError('full', error.message, { code: error.code, cause: error })
}
