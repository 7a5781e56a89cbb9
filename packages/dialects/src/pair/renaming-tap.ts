import type { ErrorRequest } from '../errors/render-error.ts'
import type { StreamTap } from '../stream/stream-tap.ts'
import type { AnswerName } from './answer-name.ts'

/** A tap whose stream names the model that the caller asked for. */
export class RenamingTap implements StreamTap {
  readonly #tap: StreamTap
  readonly #name: AnswerName
  readonly fail?: (request: ErrorRequest) => readonly Buffer[]
  readonly endEvent?: () => readonly Buffer[] | undefined

  constructor(tap: StreamTap, name: AnswerName) {
    this.#tap = tap
    this.#name = name
    if (tap.fail !== undefined) this.fail = (request) => name.renameFrames(tap.fail?.(request) ?? [])
    if (tap.endEvent !== undefined) this.endEvent = () => tap.endEvent?.()
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

  get reading(): StreamTap['reading'] {
    return this.#tap.reading
  }

  push(chunk: Buffer): readonly Buffer[] {
    return this.#name.renameFrames(this.#tap.push(chunk))
  }

  end(): readonly Buffer[] {
    return this.#name.renameFrames(this.#tap.end())
  }

  cut(): readonly Buffer[] {
    return this.#name.renameFrames(this.#tap.cut())
  }
}
