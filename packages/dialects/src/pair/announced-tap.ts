import type { Reading } from '../dialect.ts'
import type { ErrorRequest } from '../errors/render-error.ts'
import type { StreamTap } from '../stream/stream-tap.ts'
import type { CallOperation } from '../conversations.ts'
import type { PairRules } from './pair.ts'

/** An announcement that is longer is sent: some vendors repeat the whole request in it, twice. */
const BYTES_MAX = 512 * 1024

/**
 * What stands in each frame that announces, by operation. A vendor that writes another dialect than it was asked in passes
 * as it is; nothing in such a stream is read as content, so its first frame counts as that.
 */
const MARKS: Partial<Record<CallOperation, readonly string[]>> = {
  chat: ['"choices"'],
  messages: ['"message_start"', '"ping"', '"content_block_start"'],
  responses: ['response.'],
  generate: ['"candidates"', '"usageMetadata"'],
}

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
  readonly #marks: readonly string[] | undefined
  #held: Buffer[] | undefined = []
  #heldBytes = 0
  #isForeign = false

  constructor(tap: StreamTap, { asked, endpoint, caller, context }: PairRules) {
    this.#tap = tap
    this.#marks = asked === endpoint ? MARKS[asked] : undefined
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
      this.#isForeign ||= isForeign(frame, this.#marks)
    }
    return this.#isAnnouncing() ? [] : this.release()
  }

  #isAnnouncing(): boolean {
    const { isClosing, hasEnded, reading } = this.#tap
    if (this.#isForeign || this.#heldBytes > BYTES_MAX || isClosing || hasEnded) return false
    return !reading.hasOutput && !reading.isComplete
  }
}

/** Events that have a name but no data of interest, and comments, are no frames of another dialect. */
function isForeign(frame: Buffer, marks: readonly string[] | undefined): boolean {
  return marks !== undefined && frame.includes('data: {') && !marks.some((mark) => frame.includes(mark))
}
