import { endOfReply } from '@tollgate/dialects/canonical/end-of-reply'
import type { Frame, ReplyReader } from '@tollgate/dialects/canonical/codec'
import type { ReplyEvent } from '@tollgate/dialects/canonical/event'
import { PartSequence } from '@tollgate/dialects/canonical/part-sequence'
import type { UsageReader } from '@tollgate/dialects/dialect'
import { parseObject, recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { errorInside, insideError } from '@tollgate/dialects/errors/upstream-error'
import { ownValue } from '@tollgate/kit/own-value'
import { readCall, readCitation } from './parts.ts'
import { readEnd } from './ends.ts'

type Handler = (reader: CohereStreamReader, message: JsonObject, event: JsonObject) => readonly ReplyEvent[]

/** Reads the events of a chat stream. https://docs.cohere.com/reference/chat-stream */
export class CohereStreamReader implements ReplyReader {
  readonly #readUsage: UsageReader
  readonly sequence = new PartSequence()
  #hasStarted = false
  #isOver = false

  constructor(readUsage: UsageReader) {
    this.#readUsage = readUsage
  }

  push({ data }: Frame): readonly ReplyEvent[] {
    const event = this.#isOver ? undefined : parseObject(data)
    if (event === undefined) return []
    const error = errorInside(event)
    if (error !== undefined) {
      this.#isOver = true
      return [{ type: 'error', error }]
    }
    const type = textAt(event, 'type') ?? ''
    const delta = recordAt(event, 'delta') ?? {}
    if (type === 'message-end') return [...this.#start(event), ...this.#end(delta)]
    const handle = ownValue(handlers, type)
    return [...this.#start(event), ...(handle?.(this, recordAt(delta, 'message') ?? {}, event) ?? [])]
  }

  end(): readonly ReplyEvent[] {
    return []
  }

  #start(event: JsonObject): readonly ReplyEvent[] {
    if (this.#hasStarted) return []
    this.#hasStarted = true
    return [{ type: 'reply-start', id: textAt(event, 'id') ?? '', model: '' }]
  }

  #end(delta: JsonObject): readonly ReplyEvent[] {
    this.#isOver = true
    const reason = textAt(delta, 'finish_reason') ?? ''
    const words = textAt(delta, 'error') ?? (reason === 'ERROR' || reason === 'TIMEOUT' ? reason : undefined)
    if (words !== undefined) return [{ type: 'error', error: insideError(words) }]
    return [...this.sequence.end(readEnd(reason)), ...endOfReply(this.#readUsage(delta))]
  }
}

const handlers: Readonly<Record<string, Handler>> = {
  'tool-plan-delta': ({ sequence }, message) => thought(sequence, 'plan', textAt(message, 'tool_plan')),
  'content-delta': ({ sequence }, message, event) => {
    const content = recordAt(message, 'content') ?? {}
    const thinking = textAt(content, 'thinking')
    if (thinking !== undefined) return thought(sequence, `thinking ${String(event['index'])}`, thinking)
    const text = textAt(content, 'text')
    if (text === undefined) return []
    return [...sequence.enter('text', { type: 'text', text: '' }), ...sequence.text(text)]
  },
  'content-end': ({ sequence }) => (sequence.open === 'text' ? [] : sequence.close()),
  'citation-start': ({ sequence }, message) => {
    const citation = recordAt(message, 'citations')
    return citation === undefined || sequence.open !== 'text' ? [] : sequence.citation(readCitation(citation))
  },
  'tool-call-start': ({ sequence }, message) => {
    const call = readCall(recordAt(message, 'tool_calls') ?? {})
    return [...sequence.enter('call', { ...call, arguments: '' }), ...sequence.arguments(call.arguments)]
  },
  'tool-call-delta': ({ sequence }, message) => {
    const { arguments: written } = readCall(recordAt(message, 'tool_calls') ?? {})
    return sequence.open === 'call' ? sequence.arguments(written) : []
  },
  'tool-call-end': ({ sequence }) => sequence.close(),
}

function thought(sequence: PartSequence, key: string, text: string | undefined): readonly ReplyEvent[] {
  if (text === undefined) return []
  return [...sequence.enter(key, { type: 'reasoning', text: '' }), ...sequence.text(text)]
}
