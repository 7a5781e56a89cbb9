import { recordAt, textAt, type JsonObject } from '../json.ts'

/**
 * Tells which item of a response an event belongs to. `output_index` should say it, but some servers omit it
 * or send 0 for all items, and others give an item a new id in each event. An id that is known is believed
 * first, then the index, then the order of the events.
 */
export class ItemPlaces {
  readonly #byId = new Map<string, number>()
  readonly #byIndex = new Map<number, number>()
  readonly #finished = new Set<number>()
  #count = 0

  /** Returns the number of the event's item, counted in the order in which items began. */
  findPlace(event: JsonObject): number {
    const item = recordAt(event, 'item')
    const id = textAt(event, 'item_id') ?? (item === undefined ? undefined : textAt(item, 'id'))
    const index = typeof event['output_index'] === 'number' ? event['output_index'] : undefined
    const isNew = event['type'] === 'response.output_item.added'
    const place = this.#known({ id, index, isNew }) ?? this.#count++
    if (id !== undefined && id !== '') this.#byId.set(id, place)
    if (index !== undefined) this.#byIndex.set(index, place)
    return place
  }

  /** An event without id and index belongs to the latest item; after its end, to a new one. */
  finish(place: number): void {
    this.#finished.add(place)
  }

  #known({ id, index, isNew }: ItemNames): number | undefined {
    const byId = id === undefined ? undefined : this.#byId.get(id)
    if (byId !== undefined) return byId
    const latest = this.#count === 0 ? undefined : this.#count - 1
    const other = index === undefined ? latest : this.#byIndex.get(index)
    // A new item with an id of its own is no other one, whatever its index; without an id it is the open one.
    if (isNew && (id !== undefined || other === undefined || this.#finished.has(other))) return undefined
    return other
  }
}

interface ItemNames {
  readonly id: string | undefined
  readonly index: number | undefined
  readonly isNew: boolean
}
