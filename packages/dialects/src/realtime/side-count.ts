import type { JsonObject } from '../json.ts'
import { TokenEstimate } from '../tokens/estimate.ts'

/** Tokens that were counted locally; those of audio are not rounded. */
export interface CountedTokens {
  readonly text: number
  readonly audio: number
}

export const noTokens: CountedTokens = { text: 0, audio: 0 }

const PCM = 'pcm16'
const PCM_BYTES_PER_MINUTE = 60 * 2 * 24_000
const OTHER_BYTES_PER_MINUTE = 60 * 8_000
const TOKENS_PER_TOOL = 8

/** Counts all text and audio of one side of a session, or of one answer. */
export class SideCount {
  readonly #tokensPerMinute: number
  readonly #text = new TokenEstimate()
  #minutes = 0
  #structure = 0
  #format: string

  constructor(tokensPerMinute: number, format = PCM) {
    this.#tokensPerMinute = tokensPerMinute
    this.#format = format
  }

  get tokens(): CountedTokens {
    const text = this.#text.tokens + this.#structure
    return { text, audio: this.#minutes * this.#tokensPerMinute }
  }

  get format(): string {
    return this.#format
  }

  /** A format by name, or an object with a type. Absent: 24,000 samples per second of two bytes. */
  setFormat(format: unknown): void {
    const name = typeof format === 'object' && format !== null && 'type' in format ? format.type : format
    this.#format = typeof name === 'string' ? name : PCM
  }

  read(text = ''): void {
    this.#text.separate()
    this.#text.addText(text)
  }

  /** Adds audio, given by its number of base64 characters. */
  hear(characters: number): void {
    const bytes = Math.floor((characters * 3) / 4)
    const isPcm = this.#format === PCM || this.#format === 'audio/pcm'
    this.#minutes += bytes / (isPcm ? PCM_BYTES_PER_MINUTE : OTHER_BYTES_PER_MINUTE)
  }

  define(tool: JsonObject): void {
    this.read(JSON.stringify(tool))
    this.#structure += TOKENS_PER_TOOL
  }
}

/** Whole tokens. The small part makes up for sums of fractions that are a little less than whole. */
export function wholeTokens(tokens: number): number {
  return Math.floor(tokens + 1e-6)
}

export function addTokens(one: CountedTokens, other: CountedTokens): CountedTokens {
  return { text: one.text + other.text, audio: one.audio + other.audio }
}

/** The tokens between two readings of the same count. */
export function subtractTokens(now: CountedTokens, before: CountedTokens): CountedTokens {
  return { text: Math.max(0, now.text - before.text), audio: Math.max(0, now.audio - before.audio) }
}

export function pickLarger(one: CountedTokens, other: CountedTokens): CountedTokens {
  return { text: Math.max(one.text, other.text), audio: Math.max(one.audio, other.audio) }
}
