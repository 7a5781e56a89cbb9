import { parseObject, recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'

export interface OutputItemsInput {
  /** Beyond this the output is not collected. */
  readonly bytesMax: number
  /** The vendor keeps the response, so that its items can be named by their ids. */
  readonly isStored: boolean
}

/** How a response ended. `items` are undefined when it cannot be continued. */
export interface TurnEnd {
  readonly id: string
  readonly items: readonly Buffer[] | undefined
}

const ITEM = 'response.output_item.done'
/** A response that failed, or was cut off in the middle of an item, is not continued. */
const ENDS = ['response.completed', 'response.incomplete', 'response.failed'] as const

/** Collects the items of a response from its events, as the input that repeats them. */
export class OutputItems {
  readonly #input: OutputItemsInput
  #items: Buffer[] = []
  #bytes = 0

  constructor(input: OutputItemsInput) {
    this.#input = input
  }

  /** Returns the end when this event ends the response. */
  push(event: string): TurnEnd | undefined {
    const isItem = event.includes(`"${ITEM}"`)
    if (!isItem && !ENDS.some((type) => event.includes(`"${type}"`))) return undefined
    const parsed = parseObject(event)
    const type = parsed && textAt(parsed, 'type')
    if (parsed === undefined || type === undefined) return undefined
    if (type === ITEM) {
      const item = recordAt(parsed, 'item')
      if (item !== undefined) this.#add(item)
      return undefined
    }
    return ENDS.some((end) => end === type) ? this.#end(type, recordAt(parsed, 'response') ?? {}) : undefined
  }

  #end(type: string, response: JsonObject): TurnEnd {
    const id = textAt(response, 'id') ?? ''
    if (this.#items.length === 0) for (const item of recordsAt(response, 'output')) this.#add(item)
    const isWhole = type !== 'response.failed' && this.#bytes <= this.#input.bytesMax && id !== ''
    return { id, items: isWhole ? this.#items : undefined }
  }

  #add(item: JsonObject): void {
    const repeated = this.#input.isStored ? item : unstoredItem(item)
    if (repeated === undefined || this.#bytes > this.#input.bytesMax) return
    const bytes = Buffer.from(JSON.stringify(repeated))
    this.#bytes += bytes.length
    this.#items.push(bytes)
  }
}

/** Types whose items vendors accept without an id. */
const WITHOUT_ID: ReadonlySet<unknown> = new Set([
  'message',
  'reasoning',
  'function_call',
  'custom_tool_call',
  'local_shell_call',
])

/**
 * An item of a response that its vendor did not store: the vendor would look for its id and not find it. Reasoning
 * can be repeated only when it is encrypted.
 */
function unstoredItem(item: JsonObject): JsonObject | undefined {
  if (item['type'] === 'reasoning' && textAt(item, 'encrypted_content') === undefined) return undefined
  if (!WITHOUT_ID.has(item['type'])) return item
  const { id: _id, ...others } = item
  return others
}
