import type { Writable } from 'node:stream'

/** So much is given to the socket at a time, so that it shows how much a slow caller takes. */
const PIECE_BYTES = 256 * 1024

/** Writes much to a caller piece by piece, each when the socket has taken the one before. */
export class PieceWriter {
  readonly #response: Pick<Writable, 'write' | 'destroyed'>
  #waiting: Buffer[] = []
  #whenTaken: (() => void)[] = []
  #isBusy = false
  /** What was not given to the socket yet. */
  bytes = 0

  constructor(response: Pick<Writable, 'write' | 'destroyed'>) {
    this.#response = response
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  push(buffers: readonly Buffer[]): void {
    for (const buffer of buffers) {
      this.#waiting.push(buffer)
      this.bytes += buffer.length
    }
    if (!this.#isBusy) this.#next()
  }

  /** Calls back when the socket has taken everything, or the caller has left. */
  whenTaken(act: () => void): void {
    if (this.#isBusy) this.#whenTaken.push(act)
    else act()
  }

  #next(): void {
    const piece = this.#take()
    this.#isBusy = piece !== undefined && !this.#response.destroyed
    if (piece !== undefined && this.#isBusy) {
      this.#response.write(piece, () => this.#next())
      return
    }
    this.#waiting = []
    this.bytes = 0
    const acts = this.#whenTaken
    this.#whenTaken = []
    for (const act of acts) act()
  }

  #take(): Buffer | undefined {
    const [first] = this.#waiting
    if (first === undefined) return undefined
    const piece = first.subarray(0, PIECE_BYTES)
    if (piece.length === first.length) this.#waiting.shift()
    else this.#waiting[0] = first.subarray(PIECE_BYTES)
    this.bytes -= piece.length
    return piece
  }
}
