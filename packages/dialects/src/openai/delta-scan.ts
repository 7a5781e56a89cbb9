import { stringEnd } from '../json-scan.ts'
import { TokenEstimate } from '../tokens/estimate.ts'

const QUOTE = 0x22
const COLON = 0x3a
const SPACE = 0x20
const LETTER_N = 0x6e

/** What a chunk holds that needs a closer look. */
export const HAS_USAGE = 1
export const HAS_ERROR = 2
export const HAS_FINISH = 4
export const HAS_CHOICES = 8

type Action =
  | { readonly type: 'text'; readonly of: 'answer' | 'reasoning' | 'reasoningContent' }
  | { readonly type: 'name' | 'data' | 'skip' }
  | { readonly type: 'flag'; readonly flag: number }

/** What the value of a member means. Members that are not listed mean nothing here. */
const actions: Readonly<Record<string, Action>> = {
  content: { type: 'text', of: 'answer' },
  text: { type: 'text', of: 'answer' },
  refusal: { type: 'text', of: 'answer' },
  arguments: { type: 'text', of: 'answer' },
  transcript: { type: 'text', of: 'answer' },
  // Some vendors send the same reasoning under both names.
  reasoning_content: { type: 'text', of: 'reasoningContent' },
  reasoning: { type: 'text', of: 'reasoning' },
  name: { type: 'name' },
  data: { type: 'data' },
  url: { type: 'data' },
  usage: { type: 'flag', flag: HAS_USAGE },
  error: { type: 'flag', flag: HAS_ERROR },
  finish_reason: { type: 'flag', flag: HAS_FINISH },
  choices: { type: 'flag', flag: HAS_CHOICES },
  // Repeats of what is counted already, and matter that is no output.
  reasoning_details: { type: 'skip' },
  logprobs: { type: 'skip' },
  prompt_logprobs: { type: 'skip' },
  citations: { type: 'skip' },
  search_results: { type: 'skip' },
  annotations: { type: 'skip' },
}

interface Known {
  readonly name: Buffer
  readonly action: Action
}

const knownByLength: readonly (readonly Known[])[] = Array.from({ length: 18 }, (_, length) =>
  Object.entries(actions)
    .filter(([name]) => name.length === length)
    .map(([name, action]) => ({ name: Buffer.from(name), action })),
)

/** What a tool call costs beyond its name and arguments. */
const TOKENS_PER_TOOL_CALL = 7

/**
 * Walks over the bytes of stream chunks, counts the text in them and says which chunks must be parsed. One pass, about a
 * nanosecond per byte, no garbage; a parse of every chunk would cost five times as much.
 */
export class DeltaScan {
  readonly #texts = {
    answer: new TokenEstimate(),
    reasoning: new TokenEstimate(),
    reasoningContent: new TokenEstimate(),
  }
  #toolCalls = 0
  #hasData = false

  get outputTokens(): number {
    const { answer, reasoning, reasoningContent } = this.#texts
    return (
      answer.tokens +
      Math.max(reasoning.tokens, reasoningContent.tokens) +
      this.#toolCalls * TOKENS_PER_TOOL_CALL
    )
  }

  /** Something a caller could use has passed. */
  get hasOutput(): boolean {
    return this.#hasData || this.outputTokens > 0
  }

  /** A line too long to be looked at: whatever it is, it is output. */
  noteData(): void {
    this.#hasData = true
  }

  /** Scans one JSON text; answers its flags. */
  scan(bytes: Buffer, start: number, end: number): number {
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
      } else if (action.type === 'skip') {
        at = skipValue(bytes, at, end)
      } else if (bytes[at] === QUOTE) {
        at = this.#take(action, bytes, at)
      }
    }
    return flags
  }

  #take(action: Exclude<Action, { type: 'flag' | 'skip' }>, bytes: Buffer, at: number): number {
    if (action.type === 'text') return this.#texts[action.of].addJsonString(bytes, at)
    const isEmpty = bytes[at + 1] === QUOTE
    if (action.type === 'name' && !isEmpty) this.#toolCalls++
    if (action.type === 'data' && !isEmpty) this.#hasData = true
    return action.type === 'name' ? this.#texts.answer.addJsonString(bytes, at) : stringEnd(bytes, at)
  }
}

function actionOf(bytes: Buffer, start: number, end: number): Action | undefined {
  const candidates = knownByLength[end - start]
  if (candidates === undefined) return undefined
  for (const { name, action } of candidates) if (isAt(bytes, start, name)) return action
  return undefined
}

function isAt(bytes: Buffer, start: number, name: Buffer): boolean {
  for (let at = 0; at < name.length; at++) if (bytes[start + at] !== name[at]) return false
  return true
}

function skipSpaces(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === SPACE) at++
  return at
}

/** Past an array or object; a plain value needs no skipping. */
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
