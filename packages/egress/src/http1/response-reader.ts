import { errors } from 'undici'
import { ChunkedBody } from './chunked-body.ts'
import { invalidResponse } from './invalid-response.ts'
import { checkBeginning, readHead, type ResponseHead } from './response-head.ts'

/** Receives a response. It may pause the reader within any of these calls. */
export interface ResponseListener {
  head(head: ResponseHead): void
  data(bytes: Buffer): void
  end(): void
}

const HEAD_END = '\r\n\r\n'
/** Most heads are shorter; so many bytes are looked at before the rest of what arrived. */
const USUAL_HEAD_BYTES = 2048

/**
 * Reads the bytes of one HTTP/1.1 response as they arrive, in pieces that may be cut anywhere. Interim responses
 * (1xx) are skipped. Throws `HTTPParserError` for an invalid response and `HeadersOverflowError` for a head that is too
 * long; the reader is of no use after that.
 */
export class ResponseReader {
  readonly #listener: ResponseListener
  readonly #headBytesMax: number
  #head: ResponseHead | undefined
  /** The beginning of a head that has not arrived whole. */
  #headText = ''
  /** Length of all complete heads, interim ones included. */
  #headBytes = 0
  /** Of the body; infinite where it has no length. */
  #bytesLeft = 0
  #chunked: ChunkedBody | undefined
  #isPaused = false
  /** What arrived but was not handed on, because the listener paused. */
  #unread: Buffer | undefined
  #isOver = false
  #hasSurplus = false

  constructor(listener: ResponseListener, headBytesMax: number) {
    this.#listener = listener
    this.#headBytesMax = headBytesMax
  }

  /** The whole response was handed on. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** The connection can take another request. Only of a response that is over. */
  get isReusable(): boolean {
    const head = this.#head
    return head?.isKeptAlive === true && !this.#hasSurplus && head.framing.type !== 'until-close'
  }

  /** How long the server keeps an idle connection, if it announced that. */
  get announcedMs(): number | undefined {
    return this.#head?.keepAliveMs
  }

  pause(): void {
    this.#isPaused = true
  }

  /** Hands on what arrived in the meantime. */
  resume(): void {
    this.#isPaused = false
    const unread = this.#unread
    this.#unread = undefined
    if (unread !== undefined) this.read(unread)
    else this.#endIfComplete()
  }

  /** Takes the next bytes, which belong to it from then on. */
  read(bytes: Buffer): void {
    if (this.#isPaused) {
      this.#unread = this.#unread === undefined ? bytes : Buffer.concat([this.#unread, bytes])
      return
    }
    const body = this.#head === undefined ? this.#readHeads(bytes) : bytes
    if (body === undefined) return
    // The listener may have paused when it got the head.
    if (this.#isPaused) this.#unread = body
    else if (body.length > 0) this.#readBody(body)
    this.#endIfComplete()
  }

  /**
   * The server closed its side of the connection. Returns whether that ended the response; otherwise it is cut off.
   */
  close(): boolean {
    if (this.#head?.framing.type !== 'until-close') return false
    this.#bytesLeft = 0
    this.#endIfComplete()
    return this.#isOver
  }

  /** Returns what follows the head of the final response; `undefined` until that head is complete. */
  #readHeads(bytes: Buffer): Buffer | undefined {
    let rest: Buffer | undefined = bytes
    while (rest !== undefined && this.#head === undefined) rest = this.#readOneHead(rest)
    return rest
  }

  #readOneHead(bytes: Buffer): Buffer | undefined {
    const before = this.#headText.length
    let text = this.#headText + bytes.toString('latin1', 0, USUAL_HEAD_BYTES)
    let end = text.indexOf(HEAD_END, Math.max(0, before - HEAD_END.length))
    if (end === -1 && bytes.length > USUAL_HEAD_BYTES) {
      text += bytes.toString('latin1', USUAL_HEAD_BYTES, this.#headBytesMax + 1)
      end = text.indexOf(HEAD_END)
    }
    const size = end === -1 ? text.length : end
    if (this.#headBytes + size > this.#headBytesMax) throw new errors.HeadersOverflowError()
    if (end === -1) {
      checkBeginning(text, before)
      this.#headText = text
      return undefined
    }
    this.#headText = ''
    this.#headBytes += size
    this.#begin(readHead(text.slice(0, end)))
    return bytes.subarray(end + HEAD_END.length - before)
  }

  #begin(head: ResponseHead): void {
    const { status, framing } = head
    if (status === 101) throw invalidResponse('a change of the protocol', 'INVALID_CONSTANT')
    if (status < 200) return
    this.#head = head
    if (framing.type === 'chunked') this.#chunked = new ChunkedBody()
    this.#bytesLeft = framing.type === 'length' ? framing.bytes : Number.POSITIVE_INFINITY
    this.#listener.head(head)
  }

  #readBody(bytes: Buffer): void {
    const data =
      this.#chunked === undefined ? this.#upToLength(bytes) : this.#withoutFraming(bytes, this.#chunked)
    if (data.length > 0) this.#listener.data(data)
  }

  #upToLength(bytes: Buffer): Buffer {
    const left = this.#bytesLeft
    if (bytes.length <= left) {
      this.#bytesLeft = left - bytes.length
      return bytes
    }
    this.#bytesLeft = 0
    this.#hasSurplus = true
    return bytes.subarray(0, left)
  }

  #withoutFraming(bytes: Buffer, body: ChunkedBody): Buffer {
    const data = body.read(bytes)
    if (body.isOver) this.#bytesLeft = 0
    if (body.hasSurplus) this.#hasSurplus = true
    return data
  }

  #endIfComplete(): void {
    if (this.#bytesLeft > 0 || this.#isPaused || this.#isOver || this.#head === undefined) return
    this.#isOver = true
    this.#listener.end()
  }
}
