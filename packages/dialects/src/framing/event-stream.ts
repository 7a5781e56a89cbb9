import { crc32 } from 'node:zlib'
import { problem } from '@tollgate/problems/problem'

/** The prelude: length of the frame, length of the headers, checksum of both. */
const PRELUDE_BYTES = 12
const CHECKSUM_BYTES = 4
const STRING = 7

/** One frame: its text headers by name, and its payload. */
export interface EventStreamFrame {
  readonly headers: ReadonlyMap<string, string>
  readonly payload: Buffer
}

/**
 * Splits `application/vnd.amazon.eventstream`, which may arrive in arbitrary pieces, into frames. Both
 * checksums of a frame are verified before it is used.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html
 */
export class EventStreamReader {
  readonly #frameBytesMax: number
  #held: Buffer[] = []
  #heldBytes = 0

  constructor(options: { readonly frameBytesMax: number }) {
    this.#frameBytesMax = options.frameBytesMax
  }

  /**
   * Throws `bad_response_body` for bytes that are not a frame, `answer_too_large` for a frame over the limit.
   */
  push(chunk: Buffer): EventStreamFrame[] {
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    const frames: EventStreamFrame[] = []
    for (let length = this.#nextLength(); length <= this.#heldBytes; length = this.#nextLength())
      frames.push(readFrame(this.#take(length)))
    return frames
  }

  /** Whether an incomplete frame is buffered. True at the end of a stream means that it was cut off. */
  get isInside(): boolean {
    return this.#heldBytes > 0
  }

  /** Length of the next frame in bytes; `Infinity` until its prelude has arrived. */
  #nextLength(): number {
    if (this.#heldBytes < PRELUDE_BYTES) return Infinity
    const bytes = this.#joined()
    const length = bytes.readUInt32BE(0)
    const headersLength = bytes.readUInt32BE(4)
    // Checks the prelude first, so that a corrupted length is rejected instead of waiting for that many
    // bytes.
    if (crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8)) throw problem('bad_response_body')
    if (length < PRELUDE_BYTES + headersLength + CHECKSUM_BYTES) throw problem('bad_response_body')
    if (length > this.#frameBytesMax) throw problem('answer_too_large', { limit: this.#frameBytesMax })
    return length
  }

  /** Buffered bytes, joined into one buffer if the first piece is shorter than a prelude. */
  #joined(): Buffer {
    const [first] = this.#held
    if (first !== undefined && (this.#held.length === 1 || first.length >= PRELUDE_BYTES)) return first
    const bytes = Buffer.concat(this.#held)
    this.#held = [bytes]
    return bytes
  }

  #take(length: number): Buffer {
    const bytes = Buffer.concat(this.#held)
    this.#held = length < bytes.length ? [bytes.subarray(length)] : []
    this.#heldBytes = bytes.length - length
    return bytes.subarray(0, length)
  }
}

function readFrame(frame: Buffer): EventStreamFrame {
  const end = frame.length - CHECKSUM_BYTES
  if (crc32(frame.subarray(0, end)) !== frame.readUInt32BE(end)) throw problem('bad_response_body')
  const headersEnd = PRELUDE_BYTES + frame.readUInt32BE(4)
  return {
    headers: readHeaders(frame.subarray(PRELUDE_BYTES, headersEnd)),
    payload: frame.subarray(headersEnd, end),
  }
}

/** Size in bytes of header values by type, for the types of fixed size. */
const FIXED_BYTES: readonly number[] = [0, 0, 1, 2, 4, 8]
const FIXED_LATER: Readonly<Record<number, number>> = { 8: 8, 9: 16 }

/** Reads the string headers; values of other types are skipped. */
function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>()
  try {
    for (let at = 0; at < bytes.length;) {
      const nameEnd = at + 1 + bytes.readUInt8(at)
      const type = bytes.readUInt8(nameEnd)
      const fixed = FIXED_BYTES[type] ?? FIXED_LATER[type]
      const start = nameEnd + (fixed === undefined ? 3 : 1)
      const end = start + (fixed ?? bytes.readUInt16BE(nameEnd + 1))
      if (end > bytes.length) throw problem('bad_response_body')
      if (type === STRING)
        headers.set(bytes.toString('utf8', at + 1, nameEnd), bytes.toString('utf8', start, end))
      at = end
    }
  } catch (cause) {
    throw problem('bad_response_body', {}, { cause })
  }
  return headers
}
