import type { ReplyEvent } from '../canonical/event.ts'
import type { Part } from '../canonical/part.ts'
import type { PartSequence } from '../canonical/part-sequence.ts'
import { recordAt, textAt, type JsonObject } from '../json.ts'
import { readAnnotation, readLogprobs } from './content.ts'
import { idOf, PARAGRAPH, readCall, readOutputItem, readReasoning } from './output-items.ts'

/** The text of a delta, and the part to which it belongs. */
interface Piece {
  readonly key: string
  readonly opening: Part
  readonly say: (sequence: PartSequence, event: JsonObject) => ReplyEvent[]
}

/** Reads one output item: its deltas as they come, and at its end whatever no delta contained. */
export class ItemReader {
  readonly #sequence: PartSequence
  #item: JsonObject = {}
  /** Number of characters emitted so far, by key. */
  readonly #said = new Map<string, number>()
  isCall = false

  constructor(sequence: PartSequence) {
    this.#sequence = sequence
  }

  push(event: JsonObject): ReplyEvent[] {
    const type = textAt(event, 'type') ?? ''
    if (type === 'response.output_item.added') return this.#add(recordAt(event, 'item') ?? {})
    if (type === 'response.output_item.done') return this.#finish(recordAt(event, 'item') ?? this.#item)
    if (type === 'response.output_text.annotation.added') return this.#cite(event)
    const piece = this.#pieceOf(type, event)
    if (piece === undefined) return []
    const entered = this.#sequence.enter(piece.key, piece.opening)
    const events = piece.say(this.#sequence, event)
    this.#said.set(piece.key, (this.#said.get(piece.key) ?? 0) + 1)
    return [...entered, ...events]
  }

  /** A call is opened at once, because its name arrives before its arguments. */
  #add(item: JsonObject): ReplyEvent[] {
    this.#item = item
    const call = callOf(item)
    if (call === undefined) return []
    this.isCall = true
    return this.#sequence.enter('call', { ...call, arguments: '' })
  }

  #pieceOf(type: string, event: JsonObject): Piece | undefined {
    const place = indexOf(event, 'content_index')
    if (type === 'response.output_text.delta')
      return { key: `text ${place}`, opening: { type: 'text', text: '' }, say: sayText }
    if (type === 'response.refusal.delta')
      return { key: `refusal ${place}`, opening: { type: 'refusal', text: '' }, say: sayText }
    if (type === 'response.reasoning_summary_text.delta') return this.#thought(event, true)
    if (type === 'response.reasoning_text.delta') return this.#thought(event, false)
    const isCall =
      type === 'response.function_call_arguments.delta' || type === 'response.custom_tool_call_input.delta'
    const call = isCall ? callOf(this.#item) : undefined
    return call && { key: 'call', opening: { ...call, arguments: '' }, say: sayArguments }
  }

  /** The paragraphs of a summary are merged into one text. */
  #thought(event: JsonObject, isSummary: boolean): Piece {
    const id = idOf(this.#item)
    const paragraph = indexOf(event, 'summary_index')
    const isNext = isSummary && paragraph > this.#paragraph
    this.#paragraph = Math.max(this.#paragraph, paragraph)
    return {
      key: 'reasoning',
      opening: { type: 'reasoning', text: '', isSummary: isSummary || undefined, id },
      say: (sequence, { delta }) =>
        sequence.text((isNext ? PARAGRAPH : '') + (typeof delta === 'string' ? delta : '')),
    }
  }

  #paragraph = 0

  #cite(event: JsonObject): ReplyEvent[] {
    const annotation = recordAt(event, 'annotation')
    const isOpen = this.#sequence.open === `text ${indexOf(event, 'content_index')}`
    if (annotation === undefined || !isOpen) return []
    this.#said.set('citations', 1)
    return this.#sequence.citation(readAnnotation(annotation))
  }

  #finish(item: JsonObject): ReplyEvent[] {
    if (textAt(item, 'type') === 'reasoning') return this.#finishReasoning(item)
    if (this.#said.size > 0) return []
    const call = callOf(item)
    if (call !== undefined) {
      this.isCall = true
      return [
        ...this.#sequence.enter('call', { ...call, arguments: '' }),
        ...this.#sequence.arguments(call.arguments),
      ]
    }
    return readOutputItem(item).flatMap((part) => this.#whole(part))
  }

  /** The encrypted content arrives with the end of the item. */
  #finishReasoning(item: JsonObject): ReplyEvent[] {
    const [part] = readReasoning(item)
    if (part === undefined) return []
    if (part.type === 'redacted-reasoning') {
      const isSaid = this.#sequence.open === 'reasoning'
      return isSaid ? this.#sequence.signature(part.data) : this.#sequence.whole(part)
    }
    const { signature, ...rest } = part
    const isSaid = this.#said.size > 0
    return [
      ...this.#sequence.enter('reasoning', { ...rest, text: '' }),
      ...(isSaid ? [] : this.#sequence.text(part.text)),
      ...(signature === undefined ? [] : this.#sequence.signature(signature)),
    ]
  }

  #whole(part: Part): ReplyEvent[] {
    if (part.type !== 'text' && part.type !== 'refusal') return this.#sequence.whole(part)
    const { citations = [], logprobs, ...rest } = { citations: undefined, logprobs: undefined, ...part }
    return [
      ...this.#sequence.close(),
      ...this.#sequence.enter('said', { ...rest, text: '' }),
      ...this.#sequence.text(part.text, logprobs),
      ...(citations ?? []).flatMap((citation) => this.#sequence.citation(citation)),
      ...this.#sequence.close(),
    ]
  }
}

function indexOf(event: JsonObject, member: string): number {
  const index = event[member]
  return typeof index === 'number' ? index : 0
}

function callOf(item: JsonObject): Extract<Part, { type: 'tool-call' }> | undefined {
  if (item['type'] === 'function_call') return readCall(item, 'function', 'arguments')
  if (item['type'] === 'custom_tool_call') return readCall(item, 'custom', 'input')
  return undefined
}

function sayText(sequence: PartSequence, event: JsonObject): ReplyEvent[] {
  const logprobs = readLogprobs(event)
  const { delta } = event
  return sequence.text(typeof delta === 'string' ? delta : '', logprobs.length > 0 ? logprobs : undefined)
}

function sayArguments(sequence: PartSequence, { delta }: JsonObject): ReplyEvent[] {
  return sequence.arguments(typeof delta === 'string' ? delta : '')
}
