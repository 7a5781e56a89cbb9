import { CREATED_PREFIX, EARLIER_PREFIX } from '../turn-body.ts'

/** What a call of a connection adds to a response that the vendor's socket may still know. */
export interface Continued {
  readonly previousId: string
  /** The value of `input` in the request: the items of the conversation so far and the new ones. */
  readonly wholeInput: Buffer
  /** The value of `input` with the new items only. */
  readonly newInput: Buffer
}

const OPEN = Buffer.from('{"type":"response.create"')

/** The frame for a request body, which `turnBody` wrote and a channel may have changed. */
export function createFrame(body: Buffer): Buffer {
  const start = startsWith(body, CREATED_PREFIX) ? CREATED_PREFIX.length : 1
  return joined(body.subarray(start))
}

/**
 * The frame that sends only what is new. `undefined` when the body no longer begins with the whole input, because
 * the channel changed it.
 */
export function continuedFrame(body: Buffer, continued: Continued): Buffer | undefined {
  const { previousId, wholeInput, newInput } = continued
  const start = EARLIER_PREFIX.length
  const end = start + wholeInput.length
  if (!startsWith(body, EARLIER_PREFIX) || !body.subarray(start, end).equals(wholeInput)) return undefined
  const id = Buffer.from(`"previous_response_id":${JSON.stringify(previousId)},"input":`)
  return joined(Buffer.concat([id, newInput, body.subarray(end)]))
}

function startsWith(body: Buffer, prefix: Buffer): boolean {
  return body.length > prefix.length && body.subarray(0, prefix.length).equals(prefix)
}

/** `rest`: members and the closing brace, or the brace alone. */
function joined(rest: Buffer): Buffer {
  const isEmpty = rest.length <= 1
  return Buffer.concat(isEmpty ? [OPEN, rest] : [OPEN, COMMA, rest])
}

const COMMA = Buffer.from(',')
