import type { ToolCallPart } from '../../canonical/part.ts'
import { recordAt, textAt, type JsonObject } from '../../json.ts'
import { readCallSignature } from './call-signature.ts'
import { ObjectCompletion } from './object-completion.ts'

/** Output of the queue: the start of a call, then pieces of its arguments, then the next call. */
export type CallPiece =
  | { readonly type: 'start'; readonly call: ToolCallPart }
  | { readonly type: 'more'; readonly text: string }

interface Heard {
  readonly index: number
  id: string
  name: string
  readonly kind: ToolCallPart['kind']
  readonly signature: ToolCallPart['signature'] | undefined
  readonly written: ObjectCompletion
  /** Arguments that have not been emitted yet. */
  waiting: string
  hasStarted: boolean
}

/**
 * Serialises tool calls that arrive interleaved. The first one streams; a later one is buffered until the
 * arguments of the one before are a complete JSON object, or until the end. No text is lost or repeated.
 */
export class ToolCallSerializer {
  readonly #replyId: string
  readonly #calls: Heard[] = []
  /** The latest call of each index. */
  readonly #byIndex = new Map<number, Heard>()
  #current = 0

  constructor(replyId: string) {
    this.#replyId = replyId
  }

  get count(): number {
    return this.#calls.length
  }

  /** Whether a call has begun whose arguments are not complete yet. */
  get isBusy(): boolean {
    for (let at = this.#current; at < this.#calls.length; at++) {
      const call = this.#calls[at]
      if (call !== undefined && !isWhole(call)) return true
    }
    return false
  }

  /** `at`: position of the delta in its chunk, for vendors that send no `index`. */
  push(delta: JsonObject, at: number): readonly CallPiece[] {
    const body = recordAt(delta, 'function') ?? recordAt(delta, 'custom') ?? {}
    const call = this.#callOf(delta, body, at)
    call.name ||= textAt(body, 'name') ?? ''
    const text = textIn(body)
    call.written.add(text)
    call.waiting += text
    return this.#passOn()
  }

  /** Returns everything still buffered; call it when no more deltas will come. */
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
    // Some vendors give every call the index 0 and distinguish calls only by id.
    const isOther =
      id !== undefined && known !== undefined && known.id !== id && textAt(body, 'name') !== undefined
    if (known !== undefined && !isOther) return known
    const call: Heard = {
      index,
      id: id ?? `call_${this.#replyId}_${this.#calls.length}`,
      name: '',
      kind: recordAt(delta, 'custom') === undefined ? 'function' : 'custom',
      written: new ObjectCompletion(),
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
    : [
        {
          type: 'start',
          call: { type: 'tool-call', id, name, arguments: '', kind, signature },
        },
      ]
  const more: readonly CallPiece[] = waiting === '' ? [] : [{ type: 'more', text: waiting }]
  call.hasStarted = true
  call.waiting = ''
  return [...start, ...more]
}

/** A complete JSON object cannot continue. The end of free text cannot be recognised. */
function isWhole({ kind, written }: Heard): boolean {
  return kind === 'function' && written.isWhole
}

function textIn(body: JsonObject): string {
  const written = body['arguments'] ?? body['input']
  if (typeof written === 'string') return written
  return written === undefined || written === null ? '' : JSON.stringify(written)
}
