import { once } from 'node:events'
import { type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, type Socket } from 'node:net'
import { WebSocketServer } from 'ws'

/**
 * An upstream whose streams go on only when a test says so, so that a proxy that collects frames is found without
 * measuring time. A WebSocket answers each message with the same text.
 */
export interface SteppingUpstream {
  readonly url: string
  /** Streams that have begun and not ended. */
  readonly open: number
  /** Sends one more frame on each open stream. */
  step(text: string): void
  /** Ends each open stream with its usage. */
  finish(): void
  close(): Promise<void>
}

export async function startSteppingUpstream(): Promise<SteppingUpstream> {
  const streams = new Set<ServerResponse>()
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      if (body.includes('"stream":true')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        streams.add(response)
        response.once('close', () => streams.delete(response))
        return frame(response, { choices: [delta('first')] })
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify(WHOLE))
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const echo = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) =>
    echo.handleUpgrade(request, socket, head, (end) => {
      end.send(JSON.stringify({ type: 'session.created', event_id: 'event_1', session: { tools: [] } }))
      end.on('message', () =>
        end.send(JSON.stringify({ type: 'session.updated', event_id: 'event_2', session: {} })),
      )
    }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    get open() {
      return streams.size
    },
    step: (text) => {
      for (const response of streams) frame(response, { choices: [delta(text)] })
    },
    finish: () => {
      for (const response of streams) {
        frame(response, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
        frame(response, { choices: [], usage: USAGE })
        response.end('data: [DONE]\n\n')
      }
    },
    close: async () => {
      echo.close()
      server.close()
      for (const socket of sockets) socket.destroy()
      if (server.listening) await once(server, 'close')
    },
  }
}

const USAGE = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 }

const WHOLE = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o-mini',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: USAGE,
}

const delta = (content: string) => ({ index: 0, delta: { content } })

function frame(response: ServerResponse, members: object): void {
  const chunk = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'gpt-4o-mini',
    ...members,
  }
  response.write(`data: ${JSON.stringify(chunk)}\n\n`)
}
