export interface NatsMessage {
  readonly subject: string
  /** Of the headers, for example `503`; "" without one. */
  readonly status: string
  readonly text: string
}

export interface NatsEvents {
  info(): void
  ping(): void
  pong(): void
  error(text: string): void
  message(message: NatsMessage): void
}

/** No answer that we ask for is longer. */
const BYTES_MAX = 1024 * 1024
const LINE_END = Buffer.from('\r\n')

/** Cuts the bytes of a NATS server into its messages. Throws when they are none. */
export class NatsReader {
  readonly #events: NatsEvents
  #rest = Buffer.alloc(0)

  constructor(events: NatsEvents) {
    this.#events = events
  }

  push(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk])
    while (this.#take());
    if (this.#rest.length > BYTES_MAX) throw new Error('the server sent more than a megabyte at once')
  }

  /** Handles one message; false when it has not arrived as a whole. */
  #take(): boolean {
    const lineEnd = this.#rest.indexOf(LINE_END)
    if (lineEnd < 0) return false
    const line = this.#rest.subarray(0, lineEnd).toString()
    const [verb = '', ...words] = line.split(/[ \t]+/)
    const body = lineEnd + LINE_END.length
    if (verb !== 'MSG' && verb !== 'HMSG') {
      this.#rest = this.#rest.subarray(body)
      this.#handle(verb.toUpperCase(), line)
      return true
    }
    const bytes = Number(words.at(-1))
    const headBytes = verb === 'HMSG' ? Number(words.at(-2)) : 0
    if (!isLength(bytes) || !isLength(headBytes)) throw new Error('the server does not speak NATS')
    const next = body + bytes + LINE_END.length
    if (this.#rest.length < next) return false
    const head = this.#rest.subarray(body, body + headBytes).toString()
    const text = this.#rest.subarray(body + headBytes, body + bytes).toString()
    this.#rest = this.#rest.subarray(next)
    const [, status = ''] = /^NATS\/1\.0 (\d{3})/.exec(head) ?? []
    this.#events.message({ subject: words[0] ?? '', status, text })
    return true
  }

  #handle(verb: string, line: string): void {
    if (verb === 'INFO') this.#events.info()
    else if (verb === 'PING') this.#events.ping()
    else if (verb === 'PONG') this.#events.pong()
    else if (verb === '-ERR') this.#events.error(line.slice(verb.length).trim())
    else if (verb !== '+OK') throw new Error('the server does not speak NATS')
  }
}

function isLength(bytes: number): boolean {
  return Number.isInteger(bytes) && bytes >= 0 && bytes <= BYTES_MAX
}
