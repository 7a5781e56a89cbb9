import { endOfReply } from '../canonical/end-of-reply.ts'
import { ownValue } from '@tollgate/kit/own-value'
import type { Frame, ReplyReader } from '../canonical/codec.ts'
import type { ReplyEvent } from '../canonical/event.ts'
import type { Part } from '../canonical/part.ts'
import type { ChoiceEnd } from '../canonical/reply.ts'
import type { UsageReader } from '../dialect.ts'
import { parseObject, recordAt, textAt, type JsonObject } from '../json.ts'
import { errorInside } from '../errors/upstream-error.ts'
import { readBlock, readCitation } from './blocks.ts'
import { readEnd } from './ends.ts'
import { HeldSearches } from './searches.ts'
import { readSignature } from './signature.ts'
import type { Usage } from '../usage.ts'
import { laterUsage } from './usage.ts'

/** Reads a stream of message events. https://docs.anthropic.com/en/docs/build-with-claude/streaming */
export class MessageStreamReader implements ReplyReader {
  readonly #readUsage: UsageReader
  #state: 'before' | 'open' | 'over' = 'before'
  #part = -1
  #open: OpenBlock | undefined
  /**
   * Text deltas that arrived while a block of another type was open. They are emitted as a text block after
   * that block.
   */
  #late = ''
  #serverCall: ServerCall | undefined
  readonly #searches = new HeldSearches()
  #rawUsage: JsonObject | undefined
  #end: ChoiceEnd | undefined

  constructor(readUsage: UsageReader) {
    this.#readUsage = readUsage
  }

  get usageWithCounts(): Usage | undefined {
    return this.#usage()
  }

  push(frame: Frame): readonly ReplyEvent[] {
    const event = this.#state === 'over' ? undefined : parseObject(frame.data)
    if (event === undefined) return []
    const type = textAt(event, 'type') ?? frame.event ?? ''
    const error = errorInside(event)
    if (error !== undefined) {
      this.#state = 'over'
      return [{ type: 'error', error }]
    }
    if (type === 'message_start') return this.#start(recordAt(event, 'message') ?? {})
    if (this.#state === 'before') return []
    return ownValue(handlers, type)?.(this, event) ?? []
  }

  /** A stream without `message_stop` was cut off, so the end of the connection yields no `reply-end`. */
  end(): readonly ReplyEvent[] {
    return []
  }

  #start(message: JsonObject): readonly ReplyEvent[] {
    if (this.#state !== 'before') return []
    this.#state = 'open'
    this.#noteUsage(message)
    const usage = this.#usage()
    return [
      {
        type: 'reply-start',
        id: textAt(message, 'id') ?? '',
        model: textAt(message, 'model') ?? '',
        usage,
      },
    ]
  }

  openBlock(event: JsonObject): readonly ReplyEvent[] {
    const written = recordAt(event, 'content_block') ?? {}
    const closed = this.closeBlock()
    const { index } = event
    if (written['type'] === 'server_tool_use') {
      this.#serverCall = { block: written, input: '', index: typeof index === 'number' ? index : undefined }
      return closed
    }
    const searched = this.#searches.take(written)
    if (searched !== undefined) return [...closed, ...this.#whole(searched)]
    const block = readBlock(written)
    this.#part++
    this.#open = { part: block, hasInput: false, index: typeof index === 'number' ? index : undefined }
    // A `content_block_start` that already carries text is rare; its text is emitted as the first delta.
    const { opening, said } = emptied(block)
    const start: ReplyEvent = { type: 'part-start', ...this.#place(), opening }
    return said === '' ? [...closed, start] : [...closed, start, this.#textDelta(said)]
  }

  delta(event: JsonObject): readonly ReplyEvent[] {
    const delta = recordAt(event, 'delta') ?? {}
    const type = textAt(delta, 'type') ?? ''
    if (this.#serverCall !== undefined && type === 'input_json_delta') {
      this.#serverCall.input += textAt(delta, 'partial_json') ?? ''
      return []
    }
    const kind = this.#open?.part.type
    if (type === 'text_delta') return this.#textOf(textAt(delta, 'text') ?? '', kind)
    if (type === 'thinking_delta' && kind === 'reasoning') return this.#text(textAt(delta, 'thinking'))
    if (type === 'input_json_delta' && kind === 'tool-call') return this.#input(textAt(delta, 'partial_json'))
    const signature = readSignature(textAt(delta, 'signature'))
    if (type === 'signature_delta' && kind === 'reasoning' && signature !== undefined) {
      return [{ type: 'signature-delta', ...this.#place(), signature }]
    }
    const citation = recordAt(delta, 'citation')
    if (type === 'citations_delta' && kind === 'text' && citation !== undefined) {
      return [{ type: 'citation-delta', ...this.#place(), citation: readCitation(citation) }]
    }
    return []
  }

  /** Keeps every text delta, even if its block was never opened or is no longer the open one. */
  #textOf(text: string, kind: Part['type'] | undefined): readonly ReplyEvent[] {
    if (kind === 'text') return this.#text(text)
    if (kind === undefined)
      return text === '' ? [] : this.openBlock({ content_block: { type: 'text', text } })
    this.#late += text
    return []
  }

  /** A `content_block_stop` for a block that is not the open one does not close the open block. */
  stopBlock({ index }: JsonObject): readonly ReplyEvent[] {
    const open = (this.#serverCall ?? this.#open)?.index
    return typeof index === 'number' && open !== undefined && index < open ? [] : this.closeBlock()
  }

  closeBlock(): readonly ReplyEvent[] {
    if (this.#serverCall !== undefined) return this.#closeServerCall(this.#serverCall)
    const open = this.#open
    if (open === undefined) return []
    this.#open = undefined
    const closing = this.#closing(open)
    const text = this.#late
    if (text === '') return closing
    this.#late = ''
    return [...closing, ...this.openBlock({ content_block: { type: 'text', text } }), ...this.closeBlock()]
  }

  #closing(open: OpenBlock): readonly ReplyEvent[] {
    const { part } = open
    // The call has no arguments, or its whole input came in `content_block_start`, as some
    // Anthropic-compatible upstreams send it.
    const input = part.type === 'tool-call' && !open.hasInput ? part.arguments : ''
    const whole: readonly ReplyEvent[] =
      input === '' ? [] : [{ type: 'arguments-delta', ...this.#place(), text: input }]
    return [...whole, { type: 'part-end', ...this.#place() }]
  }

  messageDelta(event: JsonObject): readonly ReplyEvent[] {
    this.#end = readEnd(recordAt(event, 'delta') ?? {}) ?? this.#end
    this.#noteUsage(event)
    return []
  }

  stop(): readonly ReplyEvent[] {
    this.#state = 'over'
    return [
      ...this.closeBlock(),
      ...this.#searches.unanswered().flatMap((part) => this.#whole(part)),
      { type: 'choice-end', choice: 0, end: this.#end ?? { reason: 'other', raw: '' } },
      ...endOfReply(this.#usage()),
    ]
  }

  /** The input of a call that the vendor runs itself comes in deltas; the call is complete with its end. */
  #closeServerCall({ block, input }: ServerCall): readonly ReplyEvent[] {
    this.#serverCall = undefined
    const call = input === '' ? block : { ...block, input: parseObject(input) ?? block['input'] }
    return this.#searches.hold(call)
      ? []
      : this.#whole({ type: 'opaque', raw: { dialect: 'anthropic', value: call } })
  }

  #whole(part: Part): readonly ReplyEvent[] {
    this.#part++
    return [
      { type: 'part-start', ...this.#place(), opening: part },
      { type: 'part-end', ...this.#place() },
    ]
  }

  #noteUsage(holder: JsonObject): void {
    const reported = recordAt(holder, 'usage')
    if (reported !== undefined) this.#rawUsage = laterUsage(this.#rawUsage, reported)
  }

  #usage() {
    return this.#rawUsage && this.#readUsage({ usage: this.#rawUsage })
  }

  #text(text: string | undefined): readonly ReplyEvent[] {
    return text === undefined ? [] : [this.#textDelta(text)]
  }

  #textDelta(text: string): ReplyEvent {
    return { type: 'text-delta', ...this.#place(), text }
  }

  #input(text: string | undefined): readonly ReplyEvent[] {
    if (text === undefined || this.#open === undefined) return []
    this.#open.hasInput = true
    return [{ type: 'arguments-delta', ...this.#place(), text }]
  }

  #place() {
    return { choice: 0, part: this.#part }
  }
}

interface OpenBlock {
  readonly part: Part
  readonly index?: number
  hasInput: boolean
}

interface ServerCall {
  readonly block: JsonObject
  readonly index?: number | undefined
  input: string
}

const handlers: Readonly<
  Record<string, (reader: MessageStreamReader, event: JsonObject) => readonly ReplyEvent[]>
> = {
  content_block_start: (reader, event) => reader.openBlock(event),
  content_block_delta: (reader, event) => reader.delta(event),
  content_block_stop: (reader, event) => reader.stopBlock(event),
  message_delta: (reader, event) => reader.messageDelta(event),
  message_stop: (reader) => reader.stop(),
}

function emptied(part: Part): { opening: Part; said: string } {
  if (part.type === 'text') return { opening: { ...part, text: '' }, said: part.text }
  if (part.type === 'reasoning') return { opening: { ...part, text: '' }, said: part.text }
  if (part.type === 'tool-call') return { opening: { ...part, arguments: '' }, said: '' }
  return { opening: part, said: '' }
}
