import { parseObject } from '../../json.ts'

const SPACE = /^\s*$/

/**
 * Follows the text of a JSON object that arrives in pieces and detects when it is complete. It counts
 * brackets as they arrive and parses once, at the end: parsing the text at every piece would take quadratic
 * time.
 */
export class ObjectCompletion {
  #pieces: string[] = []
  #depth = 0
  #isInText = false
  #isEscaped = false
  #state: 'open' | 'whole' | 'broken' = 'open'

  get isWhole(): boolean {
    return this.#state === 'whole'
  }

  add(piece: string): void {
    if (this.#state === 'whole' && !SPACE.test(piece)) this.#state = 'broken'
    if (this.#state !== 'open') return
    this.#pieces.push(piece)
    for (let at = 0; at < piece.length; at++) {
      if (this.#passes(piece.charCodeAt(at))) continue
      // A bracket closed the object. Only white space may follow.
      this.#state = parseObject(this.#pieces.join('')) === undefined ? 'broken' : 'whole'
      this.#pieces = []
      return
    }
  }

  /** Returns false for the bracket that closes the object. */
  #passes(code: number): boolean {
    if (this.#isEscaped) this.#isEscaped = false
    else if (this.#isInText) {
      if (code === BACKSLASH) this.#isEscaped = true
      else if (code === QUOTE) this.#isInText = false
    } else if (code === QUOTE) this.#isInText = true
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#depth++
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) return --this.#depth > 0
    return true
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
