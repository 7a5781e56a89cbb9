import type { ReplyEvent } from '@tollgate/dialects/canonical/event'
import type { Frame } from '@tollgate/dialects/canonical/codec'
import { FrameReader } from '@tollgate/dialects/canonical/frames'
import type { Reply } from '@tollgate/dialects/canonical/reply'
import { conversations, isConversation } from '@tollgate/dialects/conversations'
import { JsonListReader } from '@tollgate/dialects/framing/json-list'
import { parseObject } from '@tollgate/dialects/json'
import { isMedia } from '@tollgate/dialects/media/operation'
import type { TranscriptOperation } from './transcript-text.ts'
import { completionText } from './legacy-completion.ts'
import { mediaAnswer, mediaEventText } from './media-text.ts'
import { textOfParts } from './text-of-parts.ts'

/** Text frames are short; a longer line is an image or audio and is skipped. */
const LINE_BYTES_MAX = 64 * 1024
/** The most bytes of a response that are searched for text. */
const BYTES_MAX = 8 * 1024 * 1024

export interface AnswerTextOptions {
  readonly operation: TranscriptOperation
  readonly charactersMax: number
  /** The stream is one JSON array (Gemini), instead of server-sent events. */
  readonly isList?: boolean
}

/**
 * Extracts the text of a response in the caller's dialect, up to the permitted length. Nothing else of a
 * stream is stored, and parsing stops once there is enough text. Never throws.
 */
export class AnswerText {
  readonly #operation: TranscriptOperation
  readonly #charactersMax: number
  readonly #frames: (bytes: Buffer) => readonly Frame[]
  readonly #reader
  #bytes = 0
  #isReasoning = false
  #isOver = false
  #isCut = false
  #whole: Buffer | undefined
  #text = ''

  constructor({ operation, charactersMax, isList = false }: AnswerTextOptions) {
    this.#operation = operation
    this.#charactersMax = charactersMax
    this.#frames = isList ? itemReader() : frameReader()
    this.#reader = isConversation(operation)
      ? conversations[operation].upstream.openReader(() => undefined)
      : undefined
  }

  /** A whole response is parsed only here, so that the caller does not have to wait for it. */
  get text(): string {
    if (this.#whole !== undefined) this.#read(this.#whole)
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
      for (const read of this.#frames(frame))
        if (this.#reader) for (const event of this.#reader.push(read)) this.#hear(event)
        else this.#add(this.#textOfEvent(read.data))
    }
  }

  /** Takes a whole response in the caller's dialect. */
  whole(bytes: Buffer): void {
    if (bytes.length > BYTES_MAX) this.#cut()
    else this.#whole = bytes
  }

  #read(bytes: Buffer): void {
    this.#whole = undefined
    if (isMedia(this.#operation)) return this.#add(mediaAnswer(this.#operation, bytes))
    if (!isConversation(this.#operation)) return this.#add(completionText(parseObject(bytes)))
    const { upstream } = conversations[this.#operation]
    const read = upstream.readReply(parseObject(bytes) ?? {}, () => undefined)
    if (read.type === 'reply') this.#add(textOfReply(read.reply))
  }

  #textOfEvent(data: string): string {
    const event = parseObject(data)
    return isMedia(this.#operation) ? mediaEventText(event, this.#text) : completionText(event)
  }

  /** If there are several choices, only the first is kept. */
  #hear(event: ReplyEvent): void {
    if (!('choice' in event) || event.choice !== 0) return
    if (event.type === 'part-start') {
      this.#isReasoning = event.opening.type === 'reasoning'
      const before = this.#text === '' ? '' : '\n'
      const opening = textOfParts([event.opening])
      if (opening !== '') this.#add(`${before}${opening}`)
    } else if (event.type === 'text-delta' && !this.#isReasoning) this.#add(event.text)
    else if (event.type === 'arguments-delta') this.#add(event.text)
    else if (event.type === 'audio-delta') this.#add(event.transcript)
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

function textOfReply({ choices }: Reply): string {
  return textOfParts(choices[0]?.parts ?? [])
}
