import { parseObject, type JsonObject, escapedCharacter } from '../json.ts'
import type { CustomTool, FunctionTool, TextGrammar } from './tool.ts'

/**
 * Converts tools that take free text for upstreams whose tools only take JSON: a function with one string
 * argument, `input`. The grammar of the text can only be described in the function's description.
 */
export function freeTextFunction({ name, description, format }: CustomTool): FunctionTool {
  const parts = [description, HOW_TO_WRITE, format && describedGrammar(format)]
  return {
    type: 'function',
    name,
    description: parts.filter((part) => part !== undefined).join('\n\n'),
    parameters: PARAMETERS,
  }
}

const HOW_TO_WRITE =
  'Here the tool is a function: put its whole text into the argument `input`, as it is, without a code fence.'

const PARAMETERS: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The text for the tool, as it is.' } },
  required: ['input'],
  additionalProperties: false,
}

function describedGrammar({ syntax, definition }: TextGrammar): string {
  const what = syntax === 'regex' ? 'match this regular expression' : `follow this ${syntax} grammar`
  return `The text must ${what}:\n${definition}`
}

/** Writes free text as the arguments of such a function. */
export function freeTextArguments(text: string): string {
  return JSON.stringify({ input: text })
}

/**
 * Reads the free text out of the arguments of a call. Arguments that are not such an object are themselves
 * the text.
 */
export function readFreeText(written: string): string {
  const members = parseObject(written)
  if (members === undefined) return written
  const input = Object.hasOwn(members, 'input') ? members['input'] : onlyText(members)
  if (typeof input === 'string') return input
  return input === undefined ? written : JSON.stringify(input)
}

/** Some models name the argument after the tool instead of `input`. */
function onlyText(members: JsonObject): string | undefined {
  const values = Object.values(members)
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined
}

const BEGINNING = /^\s*\{\s*"input"\s*:\s*"/
/**
 * If this many characters do not match `BEGINNING`, the arguments have another form and are read when they
 * are complete.
 */
const BEGINNING_CHARACTERS_MAX = 64

/** Streaming version of {@link readFreeText}: decodes the text while the arguments arrive. */
export class FreeTextReader {
  /**
   * Characters not emitted yet: all of them until the form of the arguments is known, then those not decoded
   * yet.
   */
  #waiting = ''
  #state: 'beginning' | 'text' | 'whole' | 'done' = 'beginning'

  /** Adds a piece of the arguments and returns the text that it completes. */
  push(piece: string): string {
    if (this.#state === 'done') return ''
    this.#waiting += piece
    if (this.#state === 'beginning') this.#begin()
    return this.#state === 'text' ? this.#decode() : ''
  }

  /** Returns the remaining text once all pieces have come. */
  end(): string {
    const isUnread = this.#state === 'beginning' || this.#state === 'whole'
    this.#state = 'done'
    return isUnread && this.#waiting.trim() !== '' ? readFreeText(this.#waiting) : ''
  }

  #begin(): void {
    const beginning = BEGINNING.exec(this.#waiting)
    if (beginning !== null) {
      this.#waiting = this.#waiting.slice(beginning[0].length)
      this.#state = 'text'
    } else if (this.#waiting.length > BEGINNING_CHARACTERS_MAX) this.#state = 'whole'
  }

  /** Decodes up to the closing quote, or up to an incomplete escape or surrogate pair. */
  #decode(): string {
    const found = this.#waiting.slice(0, endOfPiece(this.#waiting))
    const rest = this.#waiting.slice(found.length)
    if (rest.startsWith('"')) this.#state = 'done'
    const text = decoded(found)
    const isCut = this.#state === 'text' && /[\uD800-\uDBFF]$/.test(text)
    const ready = isCut ? found.slice(0, found.endsWith(text.at(-1) ?? '') ? -1 : -ESCAPE_CHARACTERS) : found
    this.#waiting = this.#waiting.slice(ready.length)
    return isCut ? decoded(ready) : text
  }
}

/** Length of an escape such as `\uD83D`. */
const ESCAPE_CHARACTERS = 6
const FOUR_HEX_DIGITS = /^[\dA-Fa-f]{4}$/

/**
 * Index at which the decodable text of a JSON string ends: at its closing quote, or at an incomplete escape.
 */
function endOfPiece(text: string): number {
  let at = 0
  while (at < text.length && text[at] !== '"') {
    const isEscape = text[at] === '\\'
    const length = !isEscape ? 1 : text[at + 1] === 'u' ? ESCAPE_CHARACTERS : 2
    if (at + length > text.length) return at
    at += length === ESCAPE_CHARACTERS && !isHex(text, at + 2) ? 2 : length
  }
  return at
}

function isHex(text: string, at: number): boolean {
  return FOUR_HEX_DIGITS.test(text.slice(at, at + 4))
}

/** Some models write raw line breaks into JSON strings. */
function decoded(piece: string): string {
  try {
    const value: unknown = JSON.parse(`"${withKnownEscapes(piece).replaceAll(/\p{Cc}/gu, escapedCharacter)}"`)
    return typeof value === 'string' ? value : piece
  } catch {
    return piece
  }
}

/** A backslash that does not begin a valid JSON escape stands for itself. */
function withKnownEscapes(piece: string): string {
  return piece.replaceAll(/\\([^])/g, (escape: string, character: string, at: number) => {
    const isKnown = character === 'u' ? isHex(piece, at + 2) : '"\\/bfnrt'.includes(character)
    return isKnown ? escape : `\\${escape}`
  })
}
