import type { IncomingHttpHeaders, Server } from 'node:http'
import { isRecord } from '@tollgate/kit/json'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

type Frame = Readonly<Record<string, unknown>>

/** A `response.create` frame with the items of the whole conversation. */
export interface SocketRequest {
  readonly body: Frame
  /** What was sent. */
  readonly frame: Frame
  readonly text: string
  readonly socket: WebSocket
  readonly headers: IncomingHttpHeaders
}

export type SocketResponder = (request: SocketRequest) => readonly Frame[] | Promise<readonly Frame[]>

/**
 * A vendor's side of Responses over WebSocket: one response at a time on a socket, which remembers the last one, and
 * forgets it after an error.
 */
export class ResponsesSockets {
  readonly opened: IncomingHttpHeaders[] = []
  readonly received: SocketRequest[] = []
  readonly open = new Set<WebSocket>()
  /** When set, handshakes get this status. */
  refusal: number | undefined
  respond: SocketResponder
  readonly #server = new WebSocketServer({ noServer: true })

  constructor(http: Server, respond: SocketResponder) {
    this.respond = respond
    http.on('upgrade', (request, connection, head) => {
      if (this.refusal !== undefined) {
        connection.end(`HTTP/1.1 ${this.refusal} No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
        return
      }
      this.#server.handleUpgrade(request, connection, head, (socket) => {
        this.opened.push(request.headers)
        this.open.add(socket)
        socket.once('close', () => this.open.delete(socket))
        socket.on('error', () => undefined)
        this.#serve(socket, request.headers)
      })
    })
  }

  close(): void {
    for (const socket of this.open) socket.terminate()
    this.#server.close()
  }

  #serve(socket: WebSocket, headers: IncomingHttpHeaders): void {
    let known: { readonly id: unknown; readonly items: readonly unknown[] } | undefined
    let isRunning = false
    const run = async (text: string): Promise<readonly Frame[]> => {
      const value: unknown = JSON.parse(text)
      const frame = isRecord(value) ? value : {}
      const { input, type } = frame
      const previous = frame['previous_response_id'] ?? undefined
      if (type !== 'response.create' || isRunning) return [errorFrame('protocol')]
      if (previous !== undefined && previous !== known?.id) return [errorFrame('previous_response_not_found')]
      const items = [...(previous === undefined ? [] : (known?.items ?? [])), ...itemsOf(input)]
      const request = { body: { ...frame, input: items }, frame, text, socket, headers }
      this.received.push(request)
      isRunning = true
      const events = await this.respond(request)
      isRunning = false
      const response = events.at(-1)?.['response']
      const { id, output } = isRecord(response) ? response : {}
      known = id === undefined ? undefined : { id, items: [...items, ...itemsOf(output)] }
      return events
    }
    const answer = async (text: string) => {
      const events = await run(text)
      if (events[0]?.['type'] === 'error') known = undefined
      for (const event of events) if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(event))
    }
    socket.on('message', (data: RawData) => {
      const text = Buffer.isBuffer(data) ? data.toString() : ''
      void answer(text)
    })
  }
}

function itemsOf(input: unknown): readonly unknown[] {
  if (Array.isArray(input)) return input
  return input === undefined ? [] : [{ type: 'message', role: 'user', content: input }]
}

export function errorFrame(code: string, status = 400, headers?: Readonly<Record<string, string>>): Frame {
  const error = { type: 'invalid_request_error', code, message: `refused: ${code}`, param: null }
  return { type: 'error', status, error, headers }
}
