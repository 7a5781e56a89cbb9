import { endOfReply } from '@tollgate/dialects/canonical/end-of-reply'
import type { Frame, ReplyReader } from '@tollgate/dialects/canonical/codec'
import type { ReplyEvent } from '@tollgate/dialects/canonical/event'
import { PartSequence } from '@tollgate/dialects/canonical/part-sequence'
import type { UsageReader } from '@tollgate/dialects/dialect'
import { parseObject, recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { errorInside } from '@tollgate/dialects/errors/upstream-error'
import { ownValue } from '@tollgate/kit/own-value'
import { callNamed, readEnd } from './blocks.ts'

type Handler = (sequence: PartSequence, body: JsonObject) => readonly ReplyEvent[]

/**
 * Reads the events of `ConverseStream`; blocks come one at a time. The usage comes last, after the stop
 * reason.
 */
export class ConverseReader implements ReplyReader {
  readonly #readUsage: UsageReader
  readonly #sequence = new PartSequence()
  #hasStarted = false
  #isOver = false

  constructor(readUsage: UsageReader) {
    this.#readUsage = readUsage
  }

  push({ event = '', data }: Frame): readonly ReplyEvent[] {
    const body = this.#isOver ? undefined : parseObject(data)
    if (body === undefined) return []
    const error = errorInside(body)
    if (error !== undefined) {
      this.#isOver = true
      return [{ type: 'error', error }]
    }
    if (event === 'metadata') return this.#end(this.#readUsage(body))
    const handle = ownValue(handlers, event)
    if (handle === undefined || this.#sequence.hasEnded) return []
    return [...this.#start(), ...handle(this.#sequence, body)]
  }

  /** A stream that reported a stop reason is complete, even if no usage followed. */
  end(): readonly ReplyEvent[] {
    return this.#isOver ? [] : this.#end(undefined)
  }

  #start(): readonly ReplyEvent[] {
    if (this.#hasStarted) return []
    this.#hasStarted = true
    return [{ type: 'reply-start', id: '', model: '' }]
  }

  #end(usage: ReturnType<UsageReader>): readonly ReplyEvent[] {
    if (!this.#sequence.hasEnded) return []
    this.#isOver = true
    return endOfReply(usage)
  }
}

const handlers: Readonly<Record<string, Handler>> = {
  messageStart: () => [],
  contentBlockStart: (sequence, body) => {
    const use = recordAt(recordAt(body, 'start') ?? {}, 'toolUse')
    if (use === undefined) return []
    const opening = { type: 'tool-call', ...callNamed(use), arguments: '', kind: 'function' } as const
    return sequence.enter(keyOf('call', body), opening)
  },
  contentBlockDelta: (sequence, body) => {
    const delta = recordAt(body, 'delta') ?? {}
    const text = textAt(delta, 'text')
    if (text !== undefined)
      return [...sequence.enter(keyOf('text', body), { type: 'text', text: '' }), ...sequence.text(text)]
    const thought = textAt(recordAt(delta, 'reasoningContent') ?? {}, 'text')
    if (thought !== undefined) {
      const entered = sequence.enter(keyOf('thought', body), { type: 'reasoning', text: '' })
      return [...entered, ...sequence.text(thought)]
    }
    const written = textAt(recordAt(delta, 'toolUse') ?? {}, 'input')
    // Arguments of a tool call that was never opened are dropped.
    return written !== undefined && sequence.open === keyOf('call', body) ? sequence.arguments(written) : []
  },
  contentBlockStop: (sequence) => sequence.close(),
  messageStop: (sequence, body) => sequence.end(readEnd(textAt(body, 'stopReason') ?? '')),
}

function keyOf(kind: string, body: JsonObject): string {
  const { contentBlockIndex: index } = body
  return `${kind} ${typeof index === 'number' ? index : 0}`
}
