const EMPTY = Buffer.alloc(0)

/** Collects the pieces of a body. A body that arrived in one piece is not copied. */
export class Collected {
  #first: Buffer | undefined
  #rest: Buffer[] | undefined
  size = 0

  add(chunk: Buffer): void {
    this.size += chunk.length
    if (this.#first === undefined) this.#first = chunk
    else (this.#rest ??= []).push(chunk)
  }

  bytes(): Buffer {
    if (this.#first === undefined) return EMPTY
    return this.#rest === undefined ? this.#first : Buffer.concat([this.#first, ...this.#rest], this.size)
  }
}
