import type { CallOperation } from '../conversations.ts'
import { findString } from '../json-value.ts'
import { DATA, isData, newlineFrom } from '../stream/sse-line.ts'
import type { StreamTap } from '../stream/stream-tap.ts'
import type { ErrorRequest } from '../errors/render-error.ts'

const MODEL = [Buffer.from('"model"')]
const VERSION = [Buffer.from('"modelVersion"')]

interface NamePaths {
  readonly body: readonly Buffer[]
  readonly event: readonly Buffer[]
}

/** Where answers name their model, by operation; all others have it as `model`. */
const paths: Readonly<Partial<Record<CallOperation, NamePaths>>> = {
  messages: { body: MODEL, event: [Buffer.from('"message"'), ...MODEL] },
  responses: { body: MODEL, event: [Buffer.from('"response"'), ...MODEL] },
  generate: { body: VERSION, event: VERSION },
}

const OPEN_BRACE = 0x7b
const SPACE = 0x20

/** Writes the name that a caller asked for into answers that pass unconverted from a channel that maps it. */
export class AnswerName {
  readonly #paths: NamePaths
  readonly #marks: readonly Buffer[]
  readonly #name: Buffer

  constructor(operation: CallOperation, name: string) {
    this.#paths = paths[operation] ?? { body: MODEL, event: MODEL }
    this.#marks = this.#paths.event
    this.#name = Buffer.from(JSON.stringify(name))
  }

  renameBody(body: Buffer): Buffer {
    const start = body.indexOf(OPEN_BRACE)
    const value = start < 0 ? undefined : findString(body, start, this.#paths.body)
    if (value === undefined) return body
    return Buffer.concat([body.subarray(0, value.start), this.#name, body.subarray(value.end)])
  }

  /** `frames`: pieces of a stream that consist of whole lines. */
  renameFrames(frames: readonly Buffer[]): readonly Buffer[] {
    return frames.some((frame) => this.#mayName(frame))
      ? frames.flatMap((frame) => (this.#mayName(frame) ? this.#renameLines(frame) : [frame]))
      : frames
  }

  /** Most events of some dialects name no model, and looking for the names costs less than for lines. */
  #mayName(frame: Buffer): boolean {
    return this.#marks.every((mark) => frame.includes(mark))
  }

  #renameLines(frame: Buffer): Buffer[] {
    const pieces: Buffer[] = []
    let copied = 0
    let at = 0
    while (at < frame.length) {
      const newline = newlineFrom(frame, at)
      const end = newline < 0 ? frame.length : newline
      const start = startOfJson(frame, at, end)
      const value = start === undefined ? undefined : findString(frame, start, this.#paths.event)
      if (value !== undefined && value.end <= end) {
        pieces.push(frame.subarray(copied, value.start), this.#name)
        copied = value.end
      }
      at = end + 1
    }
    pieces.push(frame.subarray(copied))
    return pieces
  }
}

/** Where the JSON text of a line begins: after `data:`, or at its start where a stream is no event stream. */
function startOfJson(frame: Buffer, from: number, end: number): number | undefined {
  let at = isData(frame, from, end) ? from + DATA.length : from
  while (frame[at] === SPACE) at++
  return frame[at] === OPEN_BRACE ? at : undefined
}

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
