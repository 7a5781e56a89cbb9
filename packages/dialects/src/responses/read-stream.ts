import { endOfReply } from '../canonical/end-of-reply.ts'
import type { Frame, ReplyReader } from '../canonical/codec.ts'
import type { ReplyEvent } from '../canonical/event.ts'
import { PartSequence } from '../canonical/part-sequence.ts'
import type { UsageReader } from '../dialect.ts'
import { parseObject, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import { insideError } from '../errors/upstream-error.ts'
import { failureOf, readEnd } from './ends.ts'
import { ItemPlaces } from './item-places.ts'
import { ItemReader } from './item-reader.ts'
import { headOf } from './read-reply.ts'

interface WaitingEvent {
  readonly event: JsonObject
  readonly place: number
}

/**
 * Reads the events of a Responses stream. Items usually come one after the other; if they are interleaved,
 * later ones are buffered. https://platform.openai.com/docs/api-reference/responses-streaming
 */
export class ResponsesStreamReader implements ReplyReader {
  readonly #readUsage: UsageReader
  readonly #sequence = new PartSequence()
  readonly #done = new Set<number>()
  readonly #places = new ItemPlaces()
  #waiting: WaitingEvent[] = []
  #item: { readonly place: number; readonly reader: ItemReader } | undefined
  #hasStarted = false
  #hasCalls = false
  #isOver = false

  constructor(readUsage: UsageReader) {
    this.#readUsage = readUsage
  }

  push(frame: Frame): readonly ReplyEvent[] {
    const event = this.#isOver ? undefined : parseObject(frame.data)
    if (event === undefined) return []
    const type = textAt(event, 'type') ?? frame.event ?? ''
    // Some gateways in between report errors in the plain format of chat completions.
    if (type === 'error' || (type === '' && recordAt(event, 'error') !== undefined)) return this.#fail(event)
    const response = recordAt(event, 'response')
    if (response !== undefined) return this.#response(type, response)
    return [...this.#start({}), ...this.#inItem(event)]
  }

  /** A stream without its final event was cut off. */
  end(): readonly ReplyEvent[] {
    return []
  }

  #start(response: JsonObject): ReplyEvent[] {
    if (this.#hasStarted) return []
    this.#hasStarted = true
    return [{ type: 'reply-start', ...headOf(response) }]
  }

  #fail(event: JsonObject): readonly ReplyEvent[] {
    this.#isOver = true
    const error = failureOf(event) ?? failureOf({ error: event }) ?? insideError('The response failed')
    return [{ type: 'error', error }]
  }

  #response(type: string, response: JsonObject): readonly ReplyEvent[] {
    if (type === 'response.failed') return this.#fail(response)
    const started = this.#start(response)
    if (type !== 'response.completed' && type !== 'response.incomplete') return started
    this.#isOver = true
    const said = this.#hasSaid ? this.#drain() : this.#unsaid(response)
    const end = readEnd({ status: type.slice('response.'.length), ...response }, this.#hasCalls)
    return [...started, ...said, ...this.#sequence.end(end), ...endOfReply(this.#readUsage(response))]
  }

  #hasSaid = false

  /** Some relays send only the final event, which contains the whole output. */
  #unsaid(response: JsonObject): ReplyEvent[] {
    return recordsAt(response, 'output').flatMap((item, index) => [
      ...this.#inItem({ type: 'response.output_item.added', output_index: index, item }),
      ...this.#inItem({ type: 'response.output_item.done', output_index: index, item }),
    ])
  }

  #inItem(event: JsonObject): ReplyEvent[] {
    if (!textAt(event, 'type')?.startsWith('response.')) return []
    const place = this.#places.findPlace(event)
    if (event['type'] === 'response.output_item.done') this.#places.finish(place)
    return this.#atPlace(event, place)
  }

  #atPlace(event: JsonObject, place: number): ReplyEvent[] {
    if (this.#done.has(place)) return []
    this.#hasSaid = true
    if (this.#item !== undefined && this.#item.place !== place) {
      this.#waiting.push({ event, place })
      return []
    }
    this.#item ??= { place, reader: new ItemReader(this.#sequence) }
    const events = this.#item.reader.push(event)
    this.#hasCalls ||= this.#item.reader.isCall
    return event['type'] === 'response.output_item.done' ? [...events, ...this.#next(place)] : events
  }

  /** Called when an item is complete: the buffered items continue in the order in which they came. */
  #next(place: number): ReplyEvent[] {
    this.#done.add(place)
    this.#item = undefined
    const waiting = this.#waiting
    this.#waiting = []
    return [
      ...this.#sequence.close(),
      ...waiting.flatMap(({ event, place: other }) => this.#atPlace(event, other)),
    ]
  }

  /** Ends the items whose own end event never came, when the response ends. */
  #drain(): ReplyEvent[] {
    const events: ReplyEvent[] = []
    while (this.#item !== undefined) events.push(...this.#next(this.#item.place))
    return events
  }
}
