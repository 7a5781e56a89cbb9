import { readSync } from 'node:fs'
import { FRAME_HEAD_BYTES, FRAME_MAGIC, frameBytesAt, isFrameWhole, sequenceAt } from './frame.ts'

const CHUNK_BYTES = 1024 * 1024

export interface Frame {
  readonly offset: number
  readonly end: number
  readonly sequence: number
  /** Valid until the next frame is read. */
  readonly payload: Buffer
}

/** A range without whole frames. */
export interface DamagedRange {
  readonly from: number
  readonly to: number
  /** Numbers of the frames that are missing; `count` is 0 where the end of a file is damaged. */
  readonly firstMissing: number
  readonly missing: number
  readonly isTail: boolean
}

/** Reads the frames of one file in order and finds the next whole one behind a damaged one. */
export class FrameReader {
  readonly #fd: number
  readonly #onDamage: (range: DamagedRange) => void
  #at = 0
  #sequence = 0
  #window = Buffer.alloc(0)
  #windowAt = 0

  constructor(fd: number, onDamage: (range: DamagedRange) => void) {
    this.#fd = fd
    this.#onDamage = onDamage
  }

  /** Offset behind the last frame or damaged range. */
  get position(): number {
    return this.#at
  }

  /**
   * Returns `undefined` when there is no further frame before `limit`, which is not beyond the end of the file.
   * Zeros before it are no damage.
   */
  next(limit: number): Frame | undefined {
    if (this.#at >= limit) return undefined
    const offset = this.#findFrame(limit)
    if (offset === undefined) {
      this.#skipTail(limit)
      return undefined
    }
    return this.#take(offset, limit)
  }

  #take(offset: number, limit: number): Frame {
    const bytes = this.#frameBytes(offset, limit) ?? 0
    const start = offset - this.#windowAt
    const sequence = sequenceAt(this.#window, start)
    const payload = this.#window.subarray(start + FRAME_HEAD_BYTES, start + bytes)
    const firstMissing = this.#sequence
    const missing = sequence - firstMissing
    if (offset > this.#at || missing > 0)
      this.#onDamage({ from: this.#at, to: offset, firstMissing, missing, isTail: false })
    this.#at = offset + bytes
    this.#sequence = sequence + 1
    return { offset, end: this.#at, sequence, payload }
  }

  /** A frame with a number that was read already is a stale copy. */
  #findFrame(limit: number): number | undefined {
    for (let at: number | undefined = this.#at; at !== undefined; at = this.#findMagic(at + 1, limit)) {
      const bytes = this.#frameBytes(at, limit)
      if (bytes === undefined) continue
      const start = at - this.#windowAt
      if (sequenceAt(this.#window, start) >= this.#sequence && isFrameWhole(this.#window, start, bytes))
        return at
    }
    return undefined
  }

  /** Loads the frame that seems to begin here. */
  #frameBytes(at: number, limit: number): number | undefined {
    if (!this.#load(at, FRAME_HEAD_BYTES, limit)) return undefined
    const bytes = frameBytesAt(this.#window, at - this.#windowAt)
    return bytes !== undefined && this.#load(at, bytes, limit) ? bytes : undefined
  }

  #findMagic(from: number, limit: number): number | undefined {
    for (let at = from; this.#load(at, FRAME_HEAD_BYTES, limit);) {
      const found = this.#window.indexOf(FRAME_MAGIC, at - this.#windowAt)
      if (found >= 0) return this.#windowAt + found
      at = this.#windowAt + this.#window.length - FRAME_MAGIC.length + 1
    }
    return undefined
  }

  #skipTail(limit: number): void {
    const from = this.#at
    if (from >= limit) return
    const isZero = this.#isZero(from, limit)
    this.#at = limit
    if (!isZero) this.#onDamage({ from, to: limit, firstMissing: this.#sequence, missing: 0, isTail: true })
  }

  #isZero(from: number, limit: number): boolean {
    for (let at = from; at < limit; at = this.#windowAt + this.#window.length) {
      if (!this.#load(at, 1, limit)) return true
      if (this.#window.subarray(at - this.#windowAt).some((byte) => byte !== 0)) return false
    }
    return true
  }

  /** Makes `bytes` bytes from `at` on available in the window; `false` if the file has fewer before `limit`. */
  #load(at: number, bytes: number, limit: number): boolean {
    if (at + bytes > limit) return false
    if (at >= this.#windowAt && at + bytes <= this.#windowAt + this.#window.length) return true
    const wanted = Math.min(limit - at, Math.max(bytes, CHUNK_BYTES))
    const window = Buffer.allocUnsafe(wanted)
    const read = readFully(this.#fd, window, at)
    this.#window = window.subarray(0, read)
    this.#windowAt = at
    return read >= bytes
  }
}

function readFully(fd: number, into: Buffer, position: number): number {
  let read = 0
  while (read < into.length) {
    const count = readSync(fd, into, read, into.length - read, position + read)
    if (count === 0) break
    read += count
  }
  return read
}
