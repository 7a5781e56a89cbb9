import { parseObject, type JsonObject } from '../json.ts'
import type { CustomTool, FunctionTool, TextGrammar } from './tool.ts'

/**
 * Tools that take free text, for upstreams whose tools take JSON: a function with one text, `input`. The grammar of the
 * text can only be described there.
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

/** The arguments of a call as such a function has them. */
export function freeTextArguments(text: string): string {
  return JSON.stringify({ input: text })
}

/** The text of a call; what is no such object is the text itself. */
export function freeTextOf(written: string): string {
  const members = parseObject(written)
  if (members === undefined) return written
  const input = Object.hasOwn(members, 'input') ? members['input'] : onlyText(members)
  if (typeof input === 'string') return input
  return input === undefined ? written : JSON.stringify(input)
}

/** Some models name the argument after the tool. */
function onlyText(members: JsonObject): string | undefined {
  const values = Object.values(members)
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined
}

const BEGINNING = /^\s*\{\s*"input"\s*:\s*"/
/** Nothing else begins like this; longer ones wait for their end. */
const BEGINNING_CHARACTERS_MAX = 64

/** The same of arguments that come in pieces: the text is decoded as it comes. */
export class FreeTextStream {
  /** Everything while it is not known how the arguments begin, else what is not decoded yet. */
  #waiting = ''
  #state: 'beginning' | 'text' | 'whole' | 'done' = 'beginning'

  /** The text that the piece brings. */
  push(piece: string): string {
    if (this.#state === 'done') return ''
    this.#waiting += piece
    if (this.#state === 'beginning') this.#begin()
    return this.#state === 'text' ? this.#decode() : ''
  }

  /** What is left once all pieces have come. */
  end(): string {
    const isUnread = this.#state === 'beginning' || this.#state === 'whole'
    this.#state = 'done'
    return isUnread && this.#waiting.trim() !== '' ? freeTextOf(this.#waiting) : ''
  }

  #begin(): void {
    const beginning = BEGINNING.exec(this.#waiting)
    if (beginning !== null) {
      this.#waiting = this.#waiting.slice(beginning[0].length)
      this.#state = 'text'
    } else if (this.#waiting.length > BEGINNING_CHARACTERS_MAX) this.#state = 'whole'
  }

  /** Up to the closing quote, or as far as no escape and no pair of surrogates is cut in two. */
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

/** Of `\uD83D`. */
const ESCAPE_CHARACTERS = 6
const FOUR_HEX_DIGITS = /^[\dA-Fa-f]{4}$/

/** How far the text of a JSON string reaches: up to its closing quote, or to an escape that is not whole. */
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

function decoded(piece: string): string {
  try {
    const value: unknown = JSON.parse(`"${withKnownEscapes(piece).replaceAll(/\p{Cc}/gu, escaped)}"`)
    return typeof value === 'string' ? value : piece
  } catch {
    return piece
  }
}

/** A backslash that begins no escape of JSON stands for itself. */
function withKnownEscapes(piece: string): string {
  return piece.replaceAll(/\\([^])/g, (escape: string, character: string, at: number) => {
    const isKnown = character === 'u' ? isHex(piece, at + 2) : '"\\/bfnrt'.includes(character)
    return isKnown ? escape : `\\${escape}`
  })
}

/** Some models write line breaks into strings as they are. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
