import { eventFrame } from '../stream/event-frame.ts'
import type { ReplyWriter, WriteContext } from '../canonical/codec.ts'
import type { PartStart, ReplyEvent } from '../canonical/event.ts'
import type { ChoiceEnd } from '../canonical/reply.ts'
import type { JsonObject } from '../json.ts'
import type { ErrorRequest } from '../errors/render-error.ts'
import { noUsage, type Usage } from '../usage.ts'
import { writeEnd } from './ends.ts'
import { renderAnthropicError } from './error.ts'
import { SearchWriter } from './search-writer.ts'
import { writeCitation } from './searches.ts'
import { writeSignature } from './signature.ts'
import { writeUsage } from './usage.ts'
import { messageHead, writeAnswerBlock } from './write-reply.ts'

/** Writes message events; the `event:` line of each repeats its type. */
export class MessageStreamWriter implements ReplyWriter {
  readonly #context: WriteContext
  /** Type of the open block. Undefined while the current part is of a kind that this dialect cannot show. */
  #block: 'text' | 'thinking' | 'tool_use' | 'whole' | undefined
  #blocks = 0
  #end: ChoiceEnd | undefined
  #usage: Usage | undefined
  readonly #searches = new SearchWriter()
  /** The text of the open block, from which citations quote. */
  #text = ''

  constructor(context: WriteContext) {
    this.#context = context
  }

  push(event: ReplyEvent): readonly Buffer[] {
    // A message has only one choice, and a Messages caller cannot request more.
    if ('choice' in event && event.choice > 0) return []
    switch (event.type) {
      case 'reply-start':
        return [this.#start(event.id, event.usage)]
      case 'part-start':
        return this.#open(event)
      case 'text-delta':
        this.#text += event.text
        return this.#delta(this.#block === 'thinking' ? thinkingDelta(event.text) : textDelta(event.text))
      case 'arguments-delta':
        return this.#delta({ type: 'input_json_delta', partial_json: event.text })
      case 'signature-delta':
        if (this.#block !== 'thinking') return []
        return this.#delta({ type: 'signature_delta', signature: writeSignature(event.signature) })
      case 'citation-delta': {
        this.#searches.cite(event.citation)
        const citation = writeCitation(event.citation, this.#text)
        return citation === undefined ? [] : this.#delta({ type: 'citations_delta', citation })
      }
      case 'audio-delta':
        return event.transcript === '' ? [] : this.#delta(textDelta(event.transcript))
      case 'part-end':
        return this.#close()
      case 'choice-end':
        this.#end = event.end
        return this.#searches.end().flatMap((block) => this.#whole(block))
      case 'usage':
        this.#usage = event.usage
        return []
      case 'reply-end':
        return this.#stop()
      case 'error':
        break
    }
    return []
  }

  fail(request: ErrorRequest): readonly Buffer[] {
    return [Buffer.concat([Buffer.from('event: error\ndata: '), renderAnthropicError(request).body, END])]
  }

  #start(id: string, reported: Usage | undefined): Buffer {
    const usage = reported ?? { ...noUsage, inputText: this.#context.inputTokensCounted }
    const message = {
      ...messageHead(id, this.#context),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: writeUsage(usage),
    }
    return eventFrame({ type: 'message_start', message })
  }

  #open({ opening }: PartStart): readonly Buffer[] {
    this.#text = ''
    if (opening.type === 'search') return this.#searches.write(opening).flatMap((block) => this.#whole(block))
    const block = writeAnswerBlock(opening)
    if (block === undefined) return []
    const type = block['type']
    this.#block = type === 'text' || type === 'thinking' || type === 'tool_use' ? type : 'whole'
    const text = this.#block === 'text' ? String(block['text']) : ''
    const content = this.#block === 'text' ? { ...block, text: '' } : block
    const start = eventFrame({ type: 'content_block_start', index: this.#blocks, content_block: content })
    return text === '' ? [start] : [start, ...this.#delta(textDelta(text))]
  }

  /** A block that does not stream; the input of a call comes in a delta, as clients expect it. */
  #whole(block: JsonObject): readonly Buffer[] {
    const { input } = block
    this.#block = 'whole'
    const content_block = input === undefined ? block : { ...block, input: {} }
    return [
      eventFrame({ type: 'content_block_start', index: this.#blocks, content_block }),
      ...(input === undefined
        ? []
        : this.#delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) })),
      ...this.#close(),
    ]
  }

  #delta(delta: JsonObject): readonly Buffer[] {
    if (this.#block === undefined) return []
    return [eventFrame({ type: 'content_block_delta', index: this.#blocks, delta })]
  }

  #close(): readonly Buffer[] {
    if (this.#block === undefined) return []
    this.#block = undefined
    const index = this.#blocks++
    return [eventFrame({ type: 'content_block_stop', index })]
  }

  #stop(): readonly Buffer[] {
    const usage = this.#usage ?? { ...noUsage, inputText: this.#context.inputTokensCounted }
    const delta = writeEnd(this.#end ?? { reason: 'other', raw: '' })
    return [
      eventFrame({ type: 'message_delta', delta, usage: writeUsage(usage, this.#searches.count) }),
      eventFrame({ type: 'message_stop' }),
    ]
  }
}

const END = Buffer.from('\n\n')

function textDelta(text: string): JsonObject {
  return { type: 'text_delta', text }
}

function thinkingDelta(thinking: string): JsonObject {
  return { type: 'thinking_delta', thinking }
}
