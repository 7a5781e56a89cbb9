import { SideCount } from './side-count.ts'
import { AUDIO_TOKENS_PER_MINUTE } from './usage.ts'

/** A transcript of the caller's speech that was requested or has begun, and has not ended. */
export interface OpenTranscript {
  readonly item: string
  /** Tokens of its audio. */
  readonly audio: number
  readonly text: SideCount
  hasText: boolean
}

/** The transcripts of a session that are under way, and the audio that none of them has read yet. */
export class OpenTranscripts {
  readonly #open = new Map<string, OpenTranscript>()
  readonly #heard = new SideCount(AUDIO_TOKENS_PER_MINUTE)
  #readUpTo = 0

  get size(): number {
    return this.#open.size
  }

  get all(): readonly OpenTranscript[] {
    return [...this.#open.values()]
  }

  setFormat(format: unknown): void {
    this.#heard.setFormat(format)
  }

  /** Adds audio, given by its number of base64 characters. */
  hear(characters: number): void {
    this.#heard.hear(characters)
  }

  /** The transcript of an item, or one without a name. A new one reads the audio since the last one. */
  open(item: string): OpenTranscript {
    const before = this.#open.get(item) ?? this.#open.get('')
    if (before !== undefined) return before
    const { audio } = this.#heard.tokens
    const text = new SideCount(AUDIO_TOKENS_PER_MINUTE)
    const opened = { item, audio: audio - this.#readUpTo, text, hasText: false }
    this.#readUpTo = audio
    this.#open.set(item, opened)
    return opened
  }

  end({ item }: OpenTranscript): void {
    this.#open.delete(item)
  }
}
