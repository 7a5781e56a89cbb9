import type { ToolCallPart } from '../../canonical/part.ts'
import { told } from '../../canonical/told.ts'
import { recordAt, textAt, type JsonObject } from '../../json.ts'
import { readCallSignature } from './call-signature.ts'
import { WrittenObject } from './written-object.ts'

/** What becomes of call deltas: the start of a call, then pieces of its arguments, then the next call. */
export type CallPiece =
  | { readonly type: 'start'; readonly call: ToolCallPart }
  | { readonly type: 'more'; readonly text: string }

interface Heard {
  readonly index: number
  id: string
  name: string
  readonly kind: ToolCallPart['kind']
  readonly signature: ToolCallPart['signature'] | undefined
  readonly written: WrittenObject
  /** What was not passed on yet. */
  waiting: string
  hasStarted: boolean
}

/**
 * Puts calls that come side by side one behind the other. The first one streams; a later one waits until the first is a
 * whole JSON object, or until the end. Nothing of a text is lost or repeated.
 */
export class CallQueue {
  readonly #replyId: string
  readonly #calls: Heard[] = []
  /** The last of each number. */
  readonly #byIndex = new Map<number, Heard>()
  #current = 0

  constructor(replyId: string) {
    this.#replyId = replyId
  }

  get count(): number {
    return this.#calls.length
  }

  /** A call has begun and its arguments are not whole yet. */
  get isBusy(): boolean {
    for (let at = this.#current; at < this.#calls.length; at++) {
      const call = this.#calls[at]
      if (call !== undefined && !isWhole(call)) return true
    }
    return false
  }

  /** `at`: its place in the chunk, for vendors who do not number their calls. */
  push(delta: JsonObject, at: number): readonly CallPiece[] {
    const body = recordAt(delta, 'function') ?? recordAt(delta, 'custom') ?? {}
    const call = this.#callOf(delta, body, at)
    call.name ||= textAt(body, 'name') ?? ''
    const text = textIn(body)
    call.written.add(text)
    call.waiting += text
    return this.#passOn()
  }

  /** Everything that was kept back; no more comes. */
  finish(): readonly CallPiece[] {
    const pieces: CallPiece[] = []
    for (; this.#current < this.#calls.length; this.#current++) {
      const call = this.#calls[this.#current]
      if (call !== undefined) pieces.push(...piecesOf(call))
    }
    return pieces
  }

  #passOn(): readonly CallPiece[] {
    const pieces: CallPiece[] = []
    for (;;) {
      const call = this.#calls[this.#current]
      if (call === undefined || call.name === '') return pieces
      pieces.push(...piecesOf(call))
      const hasNext = this.#current + 1 < this.#calls.length
      if (!hasNext || !isWhole(call)) return pieces
      this.#current++
    }
  }

  #callOf(delta: JsonObject, body: JsonObject, at: number): Heard {
    const number = delta['index']
    const index = typeof number === 'number' ? number : at
    const id = textAt(delta, 'id')
    const known = this.#byIndex.get(index)
    // Some vendors give every call the number 0, and an id of its own.
    const isOther =
      id !== undefined && known !== undefined && known.id !== id && textAt(body, 'name') !== undefined
    if (known !== undefined && !isOther) return known
    const call: Heard = {
      index,
      id: id ?? `call_${this.#replyId}_${this.#calls.length}`,
      name: '',
      kind: recordAt(delta, 'custom') === undefined ? 'function' : 'custom',
      written: new WrittenObject(),
      waiting: '',
      hasStarted: false,
      signature: readCallSignature(delta),
    }
    this.#calls.push(call)
    this.#byIndex.set(index, call)
    return call
  }
}

function piecesOf(call: Heard): readonly CallPiece[] {
  const { id, name, kind, signature, waiting } = call
  const start: readonly CallPiece[] = call.hasStarted
    ? []
    : [{ type: 'start', call: { type: 'tool-call', id, name, arguments: '', kind, ...told({ signature }) } }]
  const more: readonly CallPiece[] = waiting === '' ? [] : [{ type: 'more', text: waiting }]
  call.hasStarted = true
  call.waiting = ''
  return [...start, ...more]
}

/** A whole object cannot go on. Free text never says that it is whole. */
function isWhole({ kind, written }: Heard): boolean {
  return kind === 'function' && written.isWhole
}

function textIn(body: JsonObject): string {
  const written = body['arguments'] ?? body['input']
  if (typeof written === 'string') return written
  return written === undefined || written === null ? '' : JSON.stringify(written)
}
