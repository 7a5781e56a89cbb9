import type { Reading } from '../dialect.ts'
import type { ErrorRequest } from '../errors/render-error.ts'
import type { StreamTap } from '../stream/stream-tap.ts'
import type { PairRules } from './pair.ts'

/** An announcement that is longer is sent: some vendors repeat the whole request in it, twice. */
const BYTES_MAX = 512 * 1024

/**
 * Keeps frames back that only announce an answer, such as `response.created`, `message_start` or a chunk with
 * nothing but a role: an error may follow them, and while the caller has received nothing, another upstream can
 * be asked. They are sent with the first content, with the end, or when `release` says that it takes too long.
 */
export class AnnouncedTap implements StreamTap {
  readonly #tap: StreamTap
  readonly fail?: (request: ErrorRequest) => readonly Buffer[]
  readonly endEvent?: () => readonly Buffer[] | undefined
  readonly flush?: () => readonly Buffer[]
  #held: Buffer[] | undefined = []
  #heldBytes = 0

  constructor(tap: StreamTap, { caller, context }: PairRules) {
    this.#tap = tap
    if (tap.fail !== undefined)
      this.fail = (request) =>
        (this.#held === undefined ? tap.fail?.(request) : caller.openWriter(context).fail(request)) ?? []
    if (tap.endEvent !== undefined) this.endEvent = () => (this.#held === undefined ? tap.endEvent?.() : [])
    if (tap.flush !== undefined) this.flush = () => this.#passed(tap.flush?.() ?? [])
  }

  get frames(): number {
    return this.#held === undefined ? this.#tap.frames : 0
  }

  get isClosing(): boolean {
    return this.#tap.isClosing
  }

  get hasEnded(): boolean {
    return this.#tap.hasEnded
  }

  get reading(): Reading {
    return this.#tap.reading
  }

  push(chunk: Buffer): readonly Buffer[] {
    const frames = this.#tap.push(chunk)
    return this.#held === undefined ? frames : this.#passed(frames)
  }

  end(): readonly Buffer[] {
    return this.#passed(this.#tap.end())
  }

  cut(): readonly Buffer[] {
    const frames = this.#tap.cut()
    return [...this.release(), ...frames]
  }

  release(): readonly Buffer[] {
    const held = this.#held
    // Comments before the first frame announce nothing.
    if (held === undefined || this.#tap.frames === 0) return []
    this.#held = undefined
    return held
  }

  #passed(frames: readonly Buffer[]): readonly Buffer[] {
    const held = this.#held
    if (held === undefined || this.#tap.frames === 0) return frames
    for (const frame of frames) {
      held.push(frame)
      this.#heldBytes += frame.length
    }
    return this.#isAnnouncing() ? [] : this.release()
  }

  #isAnnouncing(): boolean {
    if (this.#heldBytes > BYTES_MAX || this.#tap.isClosing || this.#tap.hasEnded) return false
    const { hasOutput, isComplete } = this.#tap.reading
    return !hasOutput && !isComplete
  }
}
