import { endOfReply } from '../../canonical/end-of-reply.ts'
import type { Frame, ReplyReader } from '../../canonical/codec.ts'
import type { ReplyEvent } from '../../canonical/event.ts'
import type { UsageReader } from '../../dialect.ts'
import { parseObject, recordsAt, textAt, type JsonObject } from '../../json.ts'
import type { Usage } from '../../usage.ts'
import { errorInside } from '../../errors/upstream-error.ts'
import { ChoiceReader } from './choice-reader.ts'

/** Reads a stream of chat completion chunks. https://platform.openai.com/docs/api-reference/chat-streaming */
export class ChatStreamReader implements ReplyReader {
  readonly #readUsage: UsageReader
  readonly #choices = new Map<number, ChoiceReader>()
  #hasStarted = false
  #isOver = false
  #usage: Usage | undefined

  constructor(readUsage: UsageReader) {
    this.#readUsage = readUsage
  }

  get usageWithCounts(): Usage | undefined {
    return this.#usage
  }

  push(frame: Frame): readonly ReplyEvent[] {
    if (this.#isOver) return []
    if (frame.data.trim() === '[DONE]') return this.#done()
    const chunk = parseObject(frame.data)
    if (chunk === undefined) return []
    const error = errorInside(chunk)
    if (error === undefined) return this.#chunk(chunk)
    this.#isOver = true
    return [{ type: 'error', error }]
  }

  /** Some vendors omit `[DONE]`; a stream in which every choice has ended is complete without it. */
  end(): readonly ReplyEvent[] {
    const choices = [...this.#choices.values()]
    const isWhole = choices.length > 0 && choices.every((choice) => choice.isFinished)
    return !this.#isOver && isWhole ? this.#done() : []
  }

  #done(): readonly ReplyEvent[] {
    this.#isOver = true
    if (!this.#hasStarted) return []
    return [...[...this.#choices].flatMap(([, choice]) => choice.finish()), ...endOfReply(this.#usage)]
  }

  #chunk(chunk: JsonObject): readonly ReplyEvent[] {
    const choices = recordsAt(chunk, 'choices')
    this.#usage = this.#readUsage(chunk) ?? this.#usage
    const events: ReplyEvent[] = []
    if (!this.#hasStarted) {
      this.#hasStarted = true
      events.push(startOf(chunk))
    }
    for (const choice of choices) {
      const index = choice['index']
      events.push(...this.#choice(typeof index === 'number' ? index : 0, textAt(chunk, 'id')).read(choice))
    }
    return events
  }

  #choice(index: number, replyId: string | undefined): ChoiceReader {
    const known = this.#choices.get(index)
    if (known !== undefined) return known
    const opened = new ChoiceReader(index, replyId ?? String(index))
    this.#choices.set(index, opened)
    return opened
  }
}

function startOf(chunk: JsonObject): ReplyEvent {
  const created = chunk['created']
  return {
    type: 'reply-start',
    id: textAt(chunk, 'id') ?? '',
    model: textAt(chunk, 'model') ?? '',
    createdSeconds: typeof created === 'number' ? created : undefined,
    serviceTier: textAt(chunk, 'service_tier'),
  }
}
