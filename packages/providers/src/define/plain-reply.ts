import { endOfReply } from '@tollgate/dialects/canonical/end-of-reply'
import type { Frame, ReadReply, ReplyReader } from '@tollgate/dialects/canonical/codec'
import type { ReplyEvent } from '@tollgate/dialects/canonical/event'
import type { Part, ToolCallPart } from '@tollgate/dialects/canonical/part'
import { PartSequence } from '@tollgate/dialects/canonical/part-sequence'
import type { ChoiceEnd } from '@tollgate/dialects/canonical/reply'
import type { UpstreamError } from '@tollgate/dialects/dialect'
import { parseObject, type JsonObject } from '@tollgate/dialects/json'
import type { Usage } from '@tollgate/dialects/usage'

/**
 * The content of one stream frame, or of a whole response, in a format that has one choice of texts and whole
 * tool calls.
 */
export interface ReplyParts {
  readonly id?: string | undefined
  readonly createdSeconds?: number | undefined
  readonly reasoning?: string | undefined
  readonly text?: string | undefined
  readonly calls?: readonly ToolCallPart[] | undefined
  readonly usage?: Usage | undefined
  /** How the response ended; present in the last frame. */
  readonly end?: ChoiceEnd | undefined
  readonly error?: UpstreamError | undefined
}

/** Builds a reply from a whole response. */
export function plainReply(received: ReplyParts): ReadReply {
  const { id = '', createdSeconds, reasoning = '', text = '', calls = [], usage, end, error } = received
  if (error !== undefined) return { type: 'error', error }
  const parts: Part[] = [
    ...(reasoning === '' ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls,
  ]
  const choices = [{ parts, end: end ?? { reason: 'stop' as const, raw: '' } }]
  return { type: 'reply', reply: { id, model: '', choices, createdSeconds, usage } }
}

/**
 * Builds a stream reader from a function that decodes one frame; `undefined` means that the frame has no
 * content.
 */
export function plainReader(hear: (frame: Frame) => ReplyParts | undefined): ReplyReader {
  return new PlainReader(hear)
}

/** Like {@link plainReader}, for frames that are JSON objects, as most are. */
export function objectParts(hear: (body: JsonObject) => ReplyParts | undefined): ReplyReader {
  return plainReader(({ data }) => {
    const body = parseObject(data)
    return body && hear(body)
  })
}

class PlainReader implements ReplyReader {
  readonly #hear: (frame: Frame) => ReplyParts | undefined
  readonly #sequence = new PartSequence()
  #usage: Usage | undefined
  #calls = 0
  #hasStarted = false
  #isOver = false

  constructor(hear: (frame: Frame) => ReplyParts | undefined) {
    this.#hear = hear
  }

  get usageWithCounts(): Usage | undefined {
    return this.#usage
  }

  push(frame: Frame): readonly ReplyEvent[] {
    const received = this.#isOver ? undefined : this.#hear(frame)
    if (received === undefined) return []
    this.#isOver = received.error !== undefined || received.end !== undefined
    if (received.error !== undefined) return [{ type: 'error', error: received.error }]
    this.#usage = received.usage ?? this.#usage
    return [
      ...this.#start(received),
      ...this.#texts('reasoning', received.reasoning),
      ...this.#texts('text', received.text),
      ...(received.calls ?? []).flatMap((call) => this.#call(call)),
      ...(received.end === undefined ? [] : this.#end(received.end)),
    ]
  }

  /** A stream without its end frame was cut off, so no events are added. */
  end(): readonly ReplyEvent[] {
    return []
  }

  #start({ id = '', createdSeconds }: ReplyParts): readonly ReplyEvent[] {
    if (this.#hasStarted) return []
    this.#hasStarted = true
    return [{ type: 'reply-start', id, model: '', createdSeconds }]
  }

  #texts(type: 'reasoning' | 'text', text = ''): readonly ReplyEvent[] {
    if (text === '') return []
    return [...this.#sequence.enter(type, { type, text: '' }), ...this.#sequence.text(text)]
  }

  #call(call: ToolCallPart): readonly ReplyEvent[] {
    return [
      ...this.#sequence.enter(`call ${this.#calls++}`, { ...call, arguments: '' }),
      ...this.#sequence.arguments(call.arguments),
      ...this.#sequence.close(),
    ]
  }

  #end(end: ChoiceEnd): readonly ReplyEvent[] {
    return [...this.#sequence.end(end), ...endOfReply(this.#usage)]
  }
}
