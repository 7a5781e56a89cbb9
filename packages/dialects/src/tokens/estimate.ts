import {
  CLASS_BREAK,
  CLASS_NONE,
  CLASS_SIGN,
  CLASS_START,
  classOfByte,
  classOfUnit,
  costs,
} from './classes.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Estimates the tokens of a text that arrives in pieces, from strings or from the bytes of JSON strings, in
 * about two nanoseconds per character. It keeps two numbers and never the text; it makes no difference where
 * the pieces are cut.
 */
export class TokenEstimate {
  #hundredths = 0
  #last = CLASS_START

  get tokens(): number {
    return this.#hundredths === 0 ? 0 : Math.max(1, Math.round(this.#hundredths / 100))
  }

  /** Call between two texts, so that the second one does not count as a continuation of the first. */
  separate(): void {
    this.#last = CLASS_START
  }

  addText(text: string): void {
    let last = this.#last
    let sum = 0
    for (let at = 0; at < text.length; at++) {
      const next = classOfUnit[text.charCodeAt(at)] ?? CLASS_SIGN
      if (next === CLASS_NONE) continue
      sum += costs[(last << 4) | next] ?? 0
      last = next
    }
    this.#last = last
    this.#hundredths += sum
  }

  /**
   * Adds the JSON string whose opening quote is at `start`; returns the position just past its closing quote.
   */
  addJsonString(bytes: Buffer, start: number): number {
    let last = this.#last
    let sum = 0
    let at = start + 1
    for (; at < bytes.length; at++) {
      const byte = bytes[at] ?? QUOTE
      if (byte === QUOTE) break
      let next = classOfByte[byte] ?? CLASS_SIGN
      if (byte === BACKSLASH) {
        next = classOfEscape(bytes, at + 1)
        at += bytes[at + 1] === LETTER_U ? 5 : 1
      }
      if (next === CLASS_NONE) continue
      sum += costs[(last << 4) | next] ?? 0
      last = next
    }
    this.#last = last
    this.#hundredths += sum
    return at + 1
  }

  /**
   * Adds raw JSON, including names and punctuation, because a model sees the schema of a tool in that form.
   */
  addJson(bytes: Buffer, start: number, end: number): void {
    let last = this.#last
    let sum = 0
    for (let at = start; at < end; at++) {
      const next = classOfByte[bytes[at] ?? QUOTE] ?? CLASS_SIGN
      if (next === CLASS_NONE) continue
      sum += costs[(last << 4) | next] ?? 0
      last = next
    }
    this.#last = last
    this.#hundredths += sum
  }
}

export function estimateTokens(text: string): number {
  const estimate = new TokenEstimate()
  estimate.addText(text)
  return estimate.tokens
}

const LETTER_U = 0x75

function classOfEscape(bytes: Buffer, at: number): number {
  const letter = bytes[at]
  if (letter === LETTER_U)
    return classOfUnit[Number.parseInt(bytes.toString('latin1', at + 1, at + 5), 16)] ?? CLASS_SIGN
  return letter === 0x6e || letter === 0x74 || letter === 0x72 ? CLASS_BREAK : CLASS_SIGN
}
