import { argumentsText } from '../canonical/arguments.ts'
import type { Citation, Part, TokenLogprob, ToolCallPart } from '../canonical/part.ts'
import type { ReplyEvent } from '../canonical/event.ts'
import { grown } from '../canonical/grown-list.ts'
import type { JsonObject } from '../json.ts'
import { writeAnnotation, writeLogprob, writeOutputText } from './content.ts'
import {
  callItem,
  callPrefix,
  messageItem,
  reasoningItem,
  writeOutputItem,
  type IdWriter,
} from './output-items.ts'
import { writeSearchEvents } from './searches.ts'

type Filling = Exclude<Extract<ReplyEvent, { part: number }>, { type: 'part-start' | 'part-end' }>

/**
 * Writes items while they are in progress. Consecutive texts are parts of one message, which stays open until
 * something else begins.
 */
export class ItemWriter {
  readonly #newId: IdWriter
  /** Items that are complete. */
  readonly output: JsonObject[] = []
  #message: { readonly id: string; readonly content: JsonObject[] } | undefined
  /** The open part, with the number of its annotations. */
  #part: { readonly part: Part; readonly id: string; readonly annotations?: number } | undefined

  constructor(newId: IdWriter) {
    this.#newId = newId
  }

  open(part: Part): JsonObject[] {
    if (part.type === 'text' || part.type === 'refusal') return this.#openContent(part)
    const closed = this.end()
    if (part.type === 'reasoning') return [...closed, ...this.#openReasoning(part)]
    if (part.type === 'tool-call') return [...closed, ...this.#openCall(part)]
    const item = writeOutputItem(part, this.#newId)
    if (part.type === 'search' && item !== undefined)
      return [...closed, ...writeSearchEvents(item, this.output.length), this.#done(item)]
    return item === undefined ? closed : [...closed, this.#added(item), this.#done(item)]
  }

  fill(event: Filling): JsonObject[] {
    const open = this.#part
    if (open === undefined) return []
    const { part, id } = open
    const place = { item_id: id, output_index: this.output.length }
    if (event.type === 'text-delta') return this.#fillText(event, place)
    if (event.type === 'arguments-delta' && part.type === 'tool-call') {
      this.#part = { id, part: { ...part, arguments: part.arguments + event.text } }
      // The arguments of a tool search are an object, which can only be sent whole.
      if (part.isToolSearch === true) return []
      return [{ type: `response.${argumentsOf(part)}.delta`, ...place, delta: event.text }]
    }
    if (event.type === 'signature-delta' && part.type === 'reasoning')
      this.#part = { id, part: { ...part, signature: event.signature } }
    if (event.type === 'citation-delta' && part.type === 'text') return this.#cite(part, event.citation)
    return []
  }

  close(): JsonObject[] {
    const open = this.#part
    this.#part = undefined
    if (open === undefined) return []
    const { part, id } = open
    const place = { item_id: id, output_index: this.output.length }
    if (part.type === 'text' || part.type === 'refusal') return this.#closeContent(part, place)
    if (part.type === 'reasoning') return this.#closeReasoning(part, place)
    if (part.type !== 'tool-call') return []
    const item = callItem(part, id)
    if (part.isToolSearch === true) return [this.#done(item)]
    const said =
      part.kind === 'custom' ? { input: part.arguments } : { arguments: argumentsText(part), name: part.name }
    return [{ type: `response.${argumentsOf(part)}.done`, ...place, ...said }, this.#done(item)]
  }

  /** Closes the open message; nothing can be added to it afterwards. */
  end(): JsonObject[] {
    const message = this.#message
    this.#message = undefined
    return message === undefined ? [] : [this.#done(messageItem(message.content, message.id))]
  }

  #openContent(part: Extract<Part, { type: 'text' | 'refusal' }>): JsonObject[] {
    const events: JsonObject[] = []
    if (this.#message === undefined) {
      this.#message = { id: this.#newId('msg'), content: [] }
      events.push(this.#added({ ...messageItem([], this.#message.id), status: 'in_progress' }))
    }
    this.#part = { part, id: this.#message.id }
    const empty =
      part.type === 'text' ? writeOutputText({ type: 'text', text: '' }) : { type: 'refusal', refusal: '' }
    return [...events, { type: 'response.content_part.added', ...this.#contentPlace(), part: empty }]
  }

  #contentPlace(): JsonObject {
    const { id = '', content = [] } = this.#message ?? {}
    return { item_id: id, output_index: this.output.length, content_index: content.length }
  }

  #openReasoning(part: Extract<Part, { type: 'reasoning' }>): JsonObject[] {
    const id = part.id?.dialect === 'responses' ? part.id.value : this.#newId('rs')
    this.#part = { part, id }
    return [this.#added({ id, type: 'reasoning', summary: [] })]
  }

  #openCall(part: Extract<Part, { type: 'tool-call' }>): JsonObject[] {
    const id = this.#newId(callPrefix(part))
    this.#part = { part, id }
    const begun = begunCall(part)
    return [this.#added({ ...callItem(part, id), ...begun, status: 'in_progress' })]
  }

  #fillText(
    { text, logprobs = [] }: Extract<Filling, { type: 'text-delta' }>,
    place: JsonObject,
  ): JsonObject[] {
    const open = this.#part
    if (open === undefined) return []
    const { part, id } = open
    if (part.type === 'text') {
      const all: readonly TokenLogprob[] = grown(part.logprobs, logprobs)
      const longer = { ...part, text: part.text + text, logprobs: all.length > 0 ? all : undefined }
      this.#part = { ...open, part: longer }
      const reported = { delta: text, logprobs: logprobs.map(writeLogprob) }
      return [{ type: 'response.output_text.delta', ...this.#contentPlace(), ...reported }]
    }
    if (part.type === 'refusal') {
      this.#part = { id, part: { ...part, text: part.text + text } }
      return [{ type: 'response.refusal.delta', ...this.#contentPlace(), delta: text }]
    }
    if (part.type !== 'reasoning') return []
    this.#part = { id, part: { ...part, text: part.text + text } }
    const delta = { type: 'response.reasoning_summary_text.delta', ...place, summary_index: 0, delta: text }
    if (part.text !== '') return [delta]
    const empty = { type: 'summary_text', text: '' }
    return [{ type: 'response.reasoning_summary_part.added', ...place, summary_index: 0, part: empty }, delta]
  }

  #cite(part: Extract<Part, { type: 'text' }>, citation: Citation): JsonObject[] {
    const annotations = writeAnnotation(citation, part.text.length)
    const before = this.#part?.annotations ?? 0
    if (this.#part !== undefined) {
      const citations = grown(part.citations, [citation])
      this.#part = { ...this.#part, part: { ...part, citations }, annotations: before + annotations.length }
    }
    return annotations.map((annotation) => ({
      type: 'response.output_text.annotation.added',
      ...this.#contentPlace(),
      annotation_index: before,
      annotation,
    }))
  }

  #closeContent(part: Extract<Part, { type: 'text' | 'refusal' }>, _place: JsonObject): JsonObject[] {
    const place = this.#contentPlace()
    const content = part.type === 'text' ? writeOutputText(part) : { type: 'refusal', refusal: part.text }
    this.#message?.content.push(content)
    const said =
      part.type === 'text'
        ? {
            type: 'response.output_text.done',
            ...place,
            text: part.text,
            logprobs: (part.logprobs ?? []).map(writeLogprob),
          }
        : { type: 'response.refusal.done', ...place, refusal: part.text }
    return [said, { type: 'response.content_part.done', ...place, part: content }]
  }

  #closeReasoning(part: Extract<Part, { type: 'reasoning' }>, place: JsonObject): JsonObject[] {
    const item = reasoningItem(part, String(place['item_id']))
    if (part.text === '') return [this.#done(item)]
    const summary = { type: 'summary_text', text: part.text }
    const inSummary = { ...place, summary_index: 0 }
    return [
      { type: 'response.reasoning_summary_text.done', ...inSummary, text: part.text },
      { type: 'response.reasoning_summary_part.done', ...inSummary, part: summary },
      this.#done(item),
    ]
  }

  #added(item: JsonObject): JsonObject {
    return { type: 'response.output_item.added', output_index: this.output.length, item }
  }

  #done(item: JsonObject): JsonObject {
    const event = { type: 'response.output_item.done', output_index: this.output.length, item }
    this.output.push(item)
    return event
  }
}

function begunCall({ kind, isToolSearch }: ToolCallPart): JsonObject {
  if (isToolSearch === true) return { arguments: {} }
  return kind === 'custom' ? { input: '' } : { arguments: '' }
}

function argumentsOf({ kind }: Extract<Part, { type: 'tool-call' }>): string {
  return kind === 'custom' ? 'custom_tool_call_input' : 'function_call_arguments'
}
