import type { Reading } from '../dialect.ts'
import type { ErrorRequest } from '../errors/render-error.ts'
import type { StreamTap } from '../stream/stream-tap.ts'
import { addTokens, KEPT_BYTES, LongStrings } from './long-strings.ts'

const NEWLINE = 0x0a

/** A tap on a stream of lines whose very long strings are set aside while its frames are read and written. */
export class AsideTap implements StreamTap {
  readonly #tap: StreamTap
  readonly fail?: (request: ErrorRequest) => readonly Buffer[]
  readonly endEvent?: () => readonly Buffer[] | undefined
  readonly flush?: () => readonly Buffer[]
  readonly release?: () => readonly Buffer[]
  /** What has come of the line under way, as long as it is short. */
  #line: Buffer[] = []
  #lineBytes = 0
  #strings: LongStrings | undefined
  #isInLongLine = false

  constructor(tap: StreamTap) {
    this.#tap = tap
    if (tap.fail !== undefined) this.fail = (request) => this.#restore(tap.fail?.(request) ?? [])
    this.endEvent = tap.endEvent?.bind(tap)
    if (tap.flush !== undefined) this.flush = () => this.#restore(tap.flush?.() ?? [])
    if (tap.release !== undefined) this.release = () => this.#restore(tap.release?.() ?? [])
  }

  get asideBytes(): number {
    return this.#strings?.bytes ?? 0
  }

  get frames(): number {
    return this.#tap.frames
  }

  get isClosing(): boolean {
    return this.#tap.isClosing
  }

  get hasEnded(): boolean {
    return this.#tap.hasEnded
  }

  get reading(): Reading {
    return addTokens(this.#tap.reading, this.#strings?.tokens ?? 0)
  }

  push(chunk: Buffer): readonly Buffer[] {
    if (this.#isInLongLine) return this.#pushLong(chunk)
    const newline = chunk.lastIndexOf(NEWLINE)
    if (newline >= 0) {
      this.#line = []
      this.#lineBytes = 0
    }
    const rest = newline < 0 ? chunk : chunk.subarray(newline + 1)
    if (this.#lineBytes + rest.length <= KEPT_BYTES) {
      if (rest.length > 0) this.#line.push(rest)
      this.#lineBytes += rest.length
      return this.#restore(this.#tap.push(chunk))
    }
    this.#strings ??= new LongStrings()
    for (const piece of this.#line) this.#strings.follow(piece)
    this.#line = []
    this.#lineBytes = 0
    const before = newline < 0 ? [] : this.#restore(this.#tap.push(chunk.subarray(0, newline + 1)))
    this.#isInLongLine = true
    return [...before, ...this.#pushLong(rest)]
  }

  end(): readonly Buffer[] {
    const last = this.#endLine()
    return this.#restore([...last, ...this.#tap.end()])
  }

  cut(): readonly Buffer[] {
    return this.#restore(this.#tap.cut())
  }

  #pushLong(chunk: Buffer): readonly Buffer[] {
    const newline = chunk.indexOf(NEWLINE)
    const line = newline < 0 ? chunk : chunk.subarray(0, newline + 1)
    const output: Buffer[] = []
    for (const piece of this.#strings?.push(line) ?? [line]) output.push(...this.#tap.push(piece))
    if (newline < 0) return this.#restore(output)
    this.#isInLongLine = false
    output.push(...this.#endLine())
    const more = newline + 1 < chunk.length ? this.push(chunk.subarray(newline + 1)) : []
    return [...this.#restore(output), ...more]
  }

  #endLine(): readonly Buffer[] {
    const rest = this.#strings?.endLine()
    return rest === undefined || rest.length === 0 ? [] : this.#tap.push(rest)
  }

  #restore(frames: readonly Buffer[]): readonly Buffer[] {
    const strings = this.#strings
    return strings === undefined || strings.isEmpty
      ? frames
      : frames.flatMap((frame) => strings.restore(frame))
  }
}
