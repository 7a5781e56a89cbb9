import { Writable } from 'node:stream'
import { parseObject, recordAt } from '@tollgate/dialects/json'
import type { CallerResponse } from '../call.ts'
import { EventData } from './event-data.ts'
import { asFrame } from './stream-error.ts'

export interface TurnResponseInput {
  /** The `stream_id` of the call, repeated in every frame; `undefined` where it named none. */
  readonly lane: string | undefined
  readonly eventBytesMax: number
  /** Calls `sent` once the frame has left the process, or cannot. */
  readonly send: (frame: string, sent: () => void) => void
  /** Called with each event before it is sent. */
  readonly onEvent: (event: string) => void
  /** Called when the response is given up before its end, such as for a caller who stopped reading. */
  readonly onGivenUp: () => void
}

/**
 * The response of one call of a connection. What stations write as server-sent events leaves as text frames with
 * the data of the events, and an error response as an `error` frame with its status. Comments are not sent.
 */
export class TurnResponse extends Writable implements CallerResponse {
  readonly #input: TurnResponseInput
  readonly #events: EventData
  readonly #error: Buffer[] = []
  #headers: readonly string[] = []
  statusCode = 200
  /** A frame was sent, so an error can only follow as an event of the stream. */
  headersSent = false

  constructor(input: TurnResponseInput) {
    super()
    this.#input = input
    this.#events = new EventData(input.eventBytesMax)
    // Destroying it with an error is how it is given up.
    this.on('error', () => undefined)
  }

  writeHead(status: number, headers: readonly string[]): this {
    this.statusCode = status
    this.#headers = headers
    return this
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    if (this.statusCode >= 400) {
      this.#error.push(chunk)
      return done()
    }
    try {
      this.#sendAll(this.#events.push(chunk).map(asFrame), done)
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  }

  override _final(done: (error?: Error) => void): void {
    if (this.statusCode < 400) return this.#sendAll(this.#events.end().map(asFrame), done)
    const body = parseObject(Buffer.concat(this.#error)) ?? {}
    const error = recordAt(body, 'error') ?? {}
    const frame = { type: 'error', status: this.statusCode, error, headers: shownHeaders(this.#headers) }
    this.#sendAll([JSON.stringify(frame)], done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.writableFinished) this.#input.onGivenUp()
    done(error)
  }

  #sendAll(events: readonly string[], done: () => void): void {
    const { lane, send, onEvent } = this.#input
    const last = events.length - 1
    if (last < 0) return done()
    this.headersSent = true
    for (const [index, event] of events.entries()) {
      onEvent(event)
      send(inLane(event, lane), index === last ? done : ignore)
    }
  }
}

/** `event` is a JSON object with members. */
export function inLane(event: string, lane: string | undefined): string {
  return lane === undefined ? event : `{"stream_id":${JSON.stringify(lane)},${event.slice(1)}`
}

const SHOWN = /^(?:retry-after|x-should-retry|x-request-id|x-ratelimit-.*)$/

/** The headers of an error that clients read, as members; `undefined` when there are none. */
function shownHeaders(headers: readonly string[]): Readonly<Record<string, string>> | undefined {
  const shown: Record<string, string> = {}
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    if (SHOWN.test(name)) shown[name] = headers[at + 1] ?? ''
  }
  return Object.keys(shown).length === 0 ? undefined : shown
}

function ignore(): void {
  // Only the last frame of a write says when the next write may come.
}
