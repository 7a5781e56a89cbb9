import type { Part, ToolCallPart } from '../canonical/part.ts'
import { isRecord, type JsonObject } from '../json.ts'
import { readMedia } from './media.ts'
import { listOf, recordOf, restOf, textOf } from './members.ts'
import { readThoughtSignature } from './signature.ts'
import { readResult } from './tool-result.ts'

/**
 * Generates ids for tool calls that came without one, and finds the call to which a result belongs: by its
 * id, or else the first call with the same function name that has no result yet.
 */
export class CallIds {
  readonly #prefix: string
  /** Calls without a result yet, in order. */
  readonly #open = new Set<OpenCall>()
  readonly #byId = new Map<string, Queue<OpenCall>>()
  readonly #byName = new Map<string, Queue<OpenCall>>()
  #count = 0

  constructor(prefix = 'call') {
    this.#prefix = prefix
  }

  called(name: string, toldId: string | undefined): string {
    const id = toldId ?? `${this.#prefix}_${this.#count}`
    this.#count++
    const call = { id }
    this.#open.add(call)
    queueAt(this.#byId, id).push(call)
    queueAt(this.#byName, name).push(call)
    return id
  }

  /** Returns `undefined` for a result without a call. */
  answered(name: string, toldId: string | undefined): string | undefined {
    const queue = toldId === undefined ? this.#byName.get(name) : this.#byId.get(toldId)
    const call = queue?.firstIn(this.#open)
    if (call === undefined) return toldId
    this.#open.delete(call)
    return call.id
  }
}

interface OpenCall {
  readonly id: string
}

/**
 * Items in order of arrival. An item that was removed from `open` elsewhere is skipped, and not looked at
 * again.
 */
class Queue<Item> {
  readonly #items: Item[] = []
  #next = 0

  push(item: Item): void {
    this.#items.push(item)
  }

  firstIn(open: ReadonlySet<Item>): Item | undefined {
    for (; this.#next < this.#items.length; this.#next++) {
      const item = this.#items[this.#next]
      if (item !== undefined && open.has(item)) return item
    }
    return undefined
  }
}

function queueAt(queues: Map<string, Queue<OpenCall>>, key: string): Queue<OpenCall> {
  const known = queues.get(key)
  if (known !== undefined) return known
  const queue = new Queue<OpenCall>()
  queues.set(key, queue)
  return queue
}

/** Reads the parts of one content, in order. A part that only Gemini has becomes an opaque part. */
export function readParts(content: JsonObject, ids: CallIds): Part[] {
  return listOf(content, 'parts')
    .filter(isRecord)
    .map((part) => readPart(part, ids))
}

export function readPart(part: JsonObject, ids: CallIds): Part {
  const call = recordOf(part, 'functionCall')
  if (call !== undefined) return readCall(part, call, ids)
  const result = recordOf(part, 'functionResponse')
  if (result !== undefined) {
    const name = textOf(result, 'name') ?? ''
    const callId = ids.answered(name, textOf(result, 'id')) ?? ''
    return { type: 'tool-result', callId, name, ...readResult(result) }
  }
  if (typeof part['text'] === 'string') return readText(part, part['text'])
  // Redacted reasoning has an empty text; clients that omit empty members leave it out.
  return part['thought'] === true ? readThought(part, '') : (readMedia(part) ?? opaque(part))
}

function readText(part: JsonObject, text: string): Part {
  if (part['thought'] === true) return readThought(part, text)
  const rest = restOf(part, ['text', 'thought'])
  return { type: 'text', text, extras: rest && { dialect: 'gemini', value: rest } }
}

function readThought(part: JsonObject, text: string): Part {
  const signature = readThoughtSignature(textOf(part, 'thoughtSignature'))
  if (signature?.isRedacted === true) return { type: 'redacted-reasoning', data: signature.value }
  return { type: 'reasoning', text, isSummary: true, signature: signature?.value }
}

function readCall(part: JsonObject, call: JsonObject, ids: CallIds): ToolCallPart {
  const name = textOf(call, 'name') ?? ''
  const signature = readThoughtSignature(textOf(part, 'thoughtSignature'))?.value
  return {
    type: 'tool-call',
    id: ids.called(name, textOf(call, 'id')),
    name,
    arguments: JSON.stringify(recordOf(call, 'args') ?? {}),
    kind: 'function',
    signature,
  }
}

function opaque(part: JsonObject): Part {
  return { type: 'opaque', raw: { dialect: 'gemini', value: part } }
}
