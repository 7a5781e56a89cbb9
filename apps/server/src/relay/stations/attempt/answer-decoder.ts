import type { IncomingHttpHeaders } from 'node:http'
import { pipeline } from 'node:stream'
import {
  createDecoders,
  isKnownCoding,
  parseCodings,
  type ContentDecoder,
} from '@tollgate/egress/content-codings'

/** Coded answers that a process decodes at once; each needs a window of up to 8 MiB. */
const DECODERS_MAX = 64
const CODINGS_MAX = 2
/** Headers that describe the coded bytes. */
const CODED_HEADERS = [
  'content-encoding',
  'content-length',
  'etag',
  'content-md5',
  'content-digest',
  'repr-digest',
]

/** Answers of this process that are being decoded. */
let openDecoders = 0

/** An answer whose coding cannot be undone. `code` is shown to operators. */
export class CodedAnswerError extends Error {
  override readonly name = 'CodedAnswerError'
  readonly code: 'coding_unknown' | 'coding_window_too_large' | 'codings_too_many' | 'coded_answers_too_many'

  constructor(code: CodedAnswerError['code']) {
    super(code)
    this.code = code
  }
}

export interface DecodedAnswer {
  readonly data: (chunk: Buffer) => void
  readonly end: () => void
  /** The coded bytes are invalid or incomplete. */
  readonly fail: (error: Error) => void
  /** The decoder has more than it should hold: the upstream is to be paused, and resumed after `drain`. */
  readonly full: () => void
  readonly drain: () => void
}

/** Whether an answer is coded although `identity` was requested, as some internal gateways do. */
export function isCodedAnswer(headers: IncomingHttpHeaders): boolean {
  return headers['content-encoding'] !== undefined && parseCodings(headers['content-encoding']).length > 0
}

/** The headers of an answer whose coding was undone. */
export function withoutCodingHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const plain = { ...headers }
  for (const name of CODED_HEADERS) delete plain[name]
  return plain
}

/**
 * Undoes the codings of one answer while it arrives. Decoded bytes are handed on for each chunk that came, and
 * not while the reader is paused. Throws a `CodedAnswerError` for what is not decoded.
 */
export class AnswerDecoder {
  readonly #first: ContentDecoder
  readonly #last: ContentDecoder
  readonly #answer: DecodedAnswer
  readonly #isBrotli: boolean
  #hasBegun = false
  #isOpen = true

  constructor(headers: IncomingHttpHeaders, answer: DecodedAnswer) {
    const codings = parseCodings(headers['content-encoding'])
    if (codings.length > CODINGS_MAX) throw new CodedAnswerError('codings_too_many')
    if (!codings.every(isKnownCoding)) throw new CodedAnswerError('coding_unknown')
    if (openDecoders >= DECODERS_MAX) throw new CodedAnswerError('coded_answers_too_many')
    const [first, second] = createDecoders(codings)
    if (first === undefined) throw new CodedAnswerError('coding_unknown')
    openDecoders++
    this.#isBrotli = codings.at(-1) === 'br'
    this.#first = first
    this.#last = second ?? first
    this.#answer = answer
    if (second !== undefined) pipeline(first, second, () => {})
    for (const decoder of second === undefined ? [first] : [first, second])
      decoder.on('error', (error) => this.#isOpen && answer.fail(error))
    first.on('drain', () => this.#isOpen && answer.drain())
    this.#last.on('data', (chunk: Buffer) => this.#isOpen && answer.data(chunk))
    this.#last.on('end', () => this.#isOpen && answer.end())
  }

  write(chunk: Buffer): void {
    if (this.#isBrotli && !this.#hasBegun && hasLargestWindow(chunk))
      return this.#answer.fail(new CodedAnswerError('coding_window_too_large'))
    this.#hasBegun = true
    // The connection's buffer is used again for the next read, and a decoder works later.
    if (this.#isOpen && !this.#first.write(Buffer.from(chunk))) this.#answer.full()
  }

  /** All coded bytes were written. */
  end(): void {
    this.#first.end()
  }

  pause(): void {
    this.#last.pause()
  }

  resume(): void {
    this.#last.resume()
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    openDecoders--
    this.#first.destroy()
    this.#last.destroy()
  }
}

/** Whether a brotli stream needs a window of 16 MiB: RFC 7932, section 9.1. */
function hasLargestWindow(chunk: Buffer): boolean {
  return ((chunk[0] ?? 0) & 0x0f) === 0x0f
}
