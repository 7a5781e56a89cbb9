import type { Frame } from '@tollgate/dialects/canonical/codec'
import { FrameReader } from '@tollgate/dialects/canonical/frames'
import { JsonListReader } from '@tollgate/dialects/framing/json-list'
import type { TranscriptReader } from './transcript-reader.ts'

/** Text frames are short; a longer line is an image or audio and is skipped. */
const LINE_BYTES_MAX = 64 * 1024
/** The most bytes of a response that are searched for text. */
const BYTES_MAX = 8 * 1024 * 1024

export interface AnswerTextOptions {
  readonly reader: TranscriptReader
  readonly charactersMax: number
  /** The stream is one JSON array (Gemini), instead of server-sent events. */
  readonly isList?: boolean
}

/**
 * Extracts the text of a response in the caller's dialect, up to the permitted length. Nothing else of a
 * stream is stored, and parsing stops once there is enough text. Never throws.
 */
export class AnswerText {
  readonly #reader: TranscriptReader
  readonly #charactersMax: number
  readonly #frames: (bytes: Buffer) => readonly Frame[]
  readonly #textOfFrame: (frame: Frame, before: string) => string
  #bytes = 0
  #isOver = false
  #isCut = false
  #whole: Buffer | undefined
  #text = ''

  constructor({ reader, charactersMax, isList = false }: AnswerTextOptions) {
    this.#reader = reader
    this.#charactersMax = charactersMax
    this.#frames = isList ? itemReader() : frameReader()
    this.#textOfFrame = reader.openStream()
  }

  /** A whole response is parsed only here, so that the caller does not have to wait for it. */
  get text(): string {
    const whole = this.#whole
    this.#whole = undefined
    if (whole !== undefined) this.#add(this.#reader.answer(whole))
    return this.#text
  }

  /** Size of a whole response that is stored until its text is read. */
  get wholeBytes(): number {
    return this.#whole?.length ?? 0
  }

  /** The response contained more text than is kept. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Takes stream frames in the caller's dialect. */
  push(frames: readonly Buffer[]): void {
    for (const frame of frames) {
      if (this.#isOver) return
      this.#bytes += frame.length
      if (this.#bytes > BYTES_MAX) return this.#cut()
      for (const read of this.#frames(frame)) this.#add(this.#textOfFrame(read, this.#text))
    }
  }

  /** Takes a whole response in the caller's dialect. */
  whole(bytes: Buffer): void {
    if (bytes.length > BYTES_MAX) this.#cut()
    else this.#whole = bytes
  }

  #add(text: string): void {
    const room = this.#charactersMax - this.#text.length
    this.#text += text.length > room ? text.slice(0, room) : text
    if (text.length > room) this.#cut()
  }

  #cut(): void {
    this.#isOver = true
    this.#isCut = true
  }
}

function frameReader(): (bytes: Buffer) => readonly Frame[] {
  const reader = new FrameReader(LINE_BYTES_MAX)
  return (bytes) => reader.push(bytes)
}

function itemReader(): (bytes: Buffer) => readonly Frame[] {
  const reader = new JsonListReader({ itemBytesMax: LINE_BYTES_MAX })
  return (bytes) => reader.push(bytes).map((item) => ({ event: undefined, data: item.toString() }))
}
