import { eventFrame } from '../stream/event-frame.ts'
import type { ReplyWriter, WriteContext } from '../canonical/codec.ts'
import type { ReplyEvent } from '../canonical/event.ts'
import type { ChoiceEnd } from '../canonical/reply.ts'
import { parseObject, recordAt, type JsonObject } from '../json.ts'
import { renderOpenAiError, type ErrorRequest } from '../errors/render-error.ts'
import type { Usage } from '../usage.ts'
import { ItemWriter } from './item-writer.ts'
import { idWriter, responseId, writeEnded, writeHead } from './write-reply.ts'

/** Writes the events of a Responses stream, in the order on which official clients rely, numbered from 0. */
export class ResponsesStreamWriter implements ReplyWriter {
  readonly #context: WriteContext
  #sequenceNumber = 0
  #head: Record<string, unknown> | undefined
  #items: ItemWriter | undefined
  #end: ChoiceEnd | undefined
  #usage: Usage | undefined
  #isOver = false

  constructor(context: WriteContext) {
    this.#context = context
  }

  push(event: ReplyEvent): readonly Buffer[] {
    if (this.#isOver || event.type === 'error') return []
    if (event.type === 'reply-start') return this.#start(event)
    if (event.type === 'usage') this.#usage = event.usage
    else if (event.type === 'reply-end') return this.#finish()
    // There is one choice per call; other choices are not written.
    else if (event.choice !== 0) return []
    else if (event.type === 'choice-end') this.#end = event.end
    else return this.#written(this.#inPart(event))
    return []
  }

  /**
   * An error before the first event is an `error` event; after it, the response ends with `response.failed`.
   */
  fail(request: ErrorRequest, number?: number): readonly Buffer[] {
    if (this.#isOver) return []
    this.#isOver = true
    if (number !== undefined) this.#sequenceNumber = number
    const error = recordAt(parseObject(renderOpenAiError(request).body) ?? {}, 'error') ?? {}
    const { code = null, message = '', param = null } = error
    if (this.#head === undefined) return this.#written([{ type: 'error', code, message, param }])
    const response = { ...this.#response('failed'), error: { code: code ?? 'server_error', message } }
    return this.#written([{ type: 'response.failed', response }])
  }

  #start(event: Extract<ReplyEvent, { type: 'reply-start' }>): readonly Buffer[] {
    const id = responseId(event.id, this.#context)
    this.#head = writeHead({ ...event, id }, this.#context)
    this.#items = new ItemWriter(idWriter(id))
    const response = this.#response('in_progress')
    return this.#written([
      { type: 'response.created', response },
      { type: 'response.in_progress', response },
    ])
  }

  #inPart(event: Extract<ReplyEvent, { part: number }>): JsonObject[] {
    const items = this.#items
    if (items === undefined) return []
    if (event.type === 'part-start') return items.open(event.opening)
    if (event.type === 'part-end') return items.close()
    return items.fill(event)
  }

  #finish(): readonly Buffer[] {
    this.#isOver = true
    const last = this.#items?.end() ?? []
    const ended = writeEnded(this.#end ?? { reason: 'stop' }, this.#usage)
    const response = { ...this.#response('completed'), ...ended, output: this.#items?.output ?? [] }
    return this.#written([...last, { type: `response.${String(ended['status'])}`, response }])
  }

  #response(status: string): Record<string, unknown> {
    return { ...this.#head, status, incomplete_details: null, output: this.#items?.output ?? [], usage: null }
  }

  #written(events: readonly JsonObject[]): Buffer[] {
    return events.map((event) => eventFrame({ ...event, sequence_number: this.#sequenceNumber++ }))
  }
}
