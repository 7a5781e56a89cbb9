import { CREATED_PREFIX, EARLIER_PREFIX } from '../turn-body.ts'

/** What a call of a connection adds to a response that the vendor's socket may still know. */
export interface Continued {
  readonly previousId: string
  /** The value of `input` in the request, in pieces: the items of the conversation so far and the new ones. */
  readonly wholeInput: readonly Buffer[]
  /** The value of `input` with the new items only. */
  readonly newInput: Buffer
}

const OPEN = Buffer.from('{"type":"response.create"')

/** The frame for a request body, which `turnBody` wrote and a channel may have changed. */
export function createFrame(body: Buffer): Buffer {
  return joined(body.subarray(endOf([CREATED_PREFIX], body) ?? 1))
}

/**
 * The frame that sends only what is new. `undefined` when the body no longer begins with the whole input, because
 * the channel changed it.
 */
export function continuedFrame(body: Buffer, continued: Continued): Buffer | undefined {
  const { previousId, wholeInput, newInput } = continued
  const end = endOf([EARLIER_PREFIX, ...wholeInput], body)
  if (end === undefined) return undefined
  const id = Buffer.from(`"previous_response_id":${JSON.stringify(previousId)},"input":`)
  return joined(Buffer.concat([id, newInput, body.subarray(end)]))
}

/** Where the pieces end; `undefined` for a body that does not begin with them. */
function endOf(pieces: readonly Buffer[], body: Buffer): number | undefined {
  let at = 0
  for (const piece of pieces) {
    if (!body.subarray(at, at + piece.length).equals(piece)) return undefined
    at += piece.length
  }
  return at
}

/** `rest`: members and the closing brace, or the brace alone. */
function joined(rest: Buffer): Buffer {
  const isEmpty = rest.length <= 1
  return Buffer.concat(isEmpty ? [OPEN, rest] : [OPEN, COMMA, rest])
}

const COMMA = Buffer.from(',')
