import { stringEnd } from '../json-scan.ts'
import { TokenEstimate } from '../tokens/estimate.ts'
import { actionOf, type Action, type TextKind } from './delta-members.ts'
import { FrameTemplate, type TemplateText } from './frame-template.ts'

const QUOTE = 0x22
const COLON = 0x3a
const SPACE = 0x20
const LETTER_N = 0x6e
const DOLLAR = 0x24

/** Estimated tokens of a tool call in addition to its name and arguments. */
const TOKENS_PER_TOOL_CALL = 7

/** Longer chunks consist mostly of text, so a template of them would save little. */
const MOULD_BYTES_MAX = 1024

/**
 * Scans the bytes of stream chunks, counts their text and reports which chunks must be parsed. A scan is one
 * pass of about a nanosecond per byte without allocation; parsing every chunk would cost five times as much.
 * A chunk that differs from the previous one only in its text is merely compared with it.
 */
export class DeltaScan {
  readonly #texts = {
    answer: new TokenEstimate(),
    reasoning: new TokenEstimate(),
    reasoningContent: new TokenEstimate(),
  }
  #toolCalls = 0
  #vendorFunctions = 0
  #hasData = false
  #template: FrameTemplate | undefined
  /** The only counted text of the chunk that is being scanned. */
  #text: TemplateText | undefined
  #counted = 0

  get outputTokens(): number {
    const { answer, reasoning, reasoningContent } = this.#texts
    return (
      answer.tokens +
      Math.max(reasoning.tokens, reasoningContent.tokens) +
      this.#toolCalls * TOKENS_PER_TOOL_CALL
    )
  }

  /** Calls of functions that are the vendor's own; their names begin with a dollar sign. */
  get vendorFunctions(): number {
    return this.#vendorFunctions
  }

  /** Whether anything that a caller could use has passed. */
  get hasOutput(): boolean {
    return this.#hasData || this.outputTokens > 0
  }

  /** Records output that is not text. */
  noteData(): void {
    this.#hasData = true
  }

  noteToolCall(): void {
    this.#toolCalls++
  }

  /** Returns the estimate for texts that another reader finds and adds. */
  text(kind: TextKind): TokenEstimate {
    return this.#texts[kind]
  }

  /** Scans one JSON text and returns its flags. */
  scan(bytes: Buffer, start: number, end: number): number {
    return this.repeated(bytes, start, end) ?? this.#scanAfresh(bytes, start, end)
  }

  /**
   * Fast path for a JSON text with the same shape as the previous one; for any other it counts nothing and
   * returns `undefined`.
   */
  repeated(bytes: Buffer, start: number, end: number): number | undefined {
    const template = this.#template
    if (template === undefined) return undefined
    const quote = template.find(bytes, start, end)
    if (quote < 0) return undefined
    this.#texts[template.of].addJsonString(bytes, quote)
    return template.flags
  }

  /** Scans a text that is the only one of its kind, such as a whole response. */
  scanOnce(bytes: Buffer): number {
    return this.#walk(bytes, 0, bytes.length)
  }

  #scanAfresh(bytes: Buffer, start: number, end: number): number {
    this.#text = undefined
    this.#counted = 0
    const flags = this.#walk(bytes, start, end)
    this.#remember(bytes, start, end, flags)
    return flags
  }

  /** Only a chunk with a single counted text can later be recognised by the bytes around that text. */
  #remember(bytes: Buffer, start: number, end: number, flags: number): void {
    if (this.#text === undefined || this.#counted !== 1 || end - start > MOULD_BYTES_MAX) return
    this.#template = new FrameTemplate({ bytes, start, end }, this.#text, flags, this.#template)
  }

  #walk(bytes: Buffer, start: number, end: number): number {
    let flags = 0
    let at = start
    while (at < end) {
      if (bytes[at] !== QUOTE) {
        at++
        continue
      }
      const nameStart = at + 1
      const nameEnd = stringEnd(bytes, at) - 1
      at = skipSpaces(bytes, nameEnd + 1)
      if (bytes[at] !== COLON) continue
      at = skipSpaces(bytes, at + 1)
      const action = actionOf(bytes, nameStart, nameEnd)
      if (action === undefined) continue
      if (action.type === 'flag') {
        if (bytes[at] !== LETTER_N) flags |= action.flag
        if (action.isSkipped === true) at = skipValue(bytes, at, end)
      } else if (action.type === 'skip') {
        at = skipValue(bytes, at, end)
      } else if (bytes[at] === QUOTE) {
        at = this.#take(action, bytes, at)
      }
    }
    return flags
  }

  #take(action: Exclude<Action, { type: 'flag' | 'skip' }>, bytes: Buffer, at: number): number {
    const isEmpty = bytes[at + 1] === QUOTE
    if (!isEmpty) this.#counted++
    if (action.type === 'text') return this.#takeText(action.of, bytes, at, isEmpty)
    if (action.type === 'name' && !isEmpty) this.#toolCalls++
    if (action.type === 'name' && bytes[at + 1] === DOLLAR) this.#vendorFunctions++
    if (action.type === 'data' && !isEmpty) this.#hasData = true
    return action.type === 'name' ? this.#texts.answer.addJsonString(bytes, at) : stringEnd(bytes, at)
  }

  #takeText(of: TextKind, bytes: Buffer, at: number, isEmpty: boolean): number {
    const end = this.#texts[of].addJsonString(bytes, at)
    if (!isEmpty) this.#text = { of, from: at, to: end }
    return end
  }
}

function skipSpaces(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === SPACE) at++
  return at
}

/** Returns the position after an array or object; other values need no skipping. */
function skipValue(bytes: Buffer, from: number, end: number): number {
  let depth = 0
  for (let at = from; at < end; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = stringEnd(bytes, at) - 1
    else if (byte === 0x5b || byte === 0x7b) depth++
    else if (byte === 0x5d || byte === 0x7d) depth--
    if (depth <= 0) return at + 1
  }
  return end
}
