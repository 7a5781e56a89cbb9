import type { GeminiPart } from './write-parts.ts'

/** More than this is not kept back. */
const BYTES_MAX = 256 * 1024

/**
 * The finished function calls of a stream, by candidate. They come with the finish reason, because libraries that
 * run functions by themselves look at the last chunk alone.
 */
export class HeldCalls {
  #parts = new Map<number, GeminiPart[]>()
  #bytes = 0

  get isFull(): boolean {
    return this.#bytes > BYTES_MAX
  }

  add(choice: number, part: GeminiPart): void {
    const parts = this.#parts.get(choice)
    if (parts === undefined) this.#parts.set(choice, [part])
    else parts.push(part)
    this.#bytes += JSON.stringify(part).length
  }

  /** Removes the calls of one candidate. */
  take(choice: number): readonly GeminiPart[] {
    const parts = this.#parts.get(choice) ?? []
    this.#parts.delete(choice)
    return parts
  }

  /** Removes all calls, in the order of their candidates. */
  takeAll(): readonly (readonly [choice: number, parts: readonly GeminiPart[]])[] {
    const all = [...this.#parts]
    this.#parts = new Map()
    this.#bytes = 0
    return all
  }
}
