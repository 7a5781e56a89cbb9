import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/** A server that takes the place of a sign-in provider. */
export interface Counterpart {
  readonly address: string
  close(): Promise<void>
}

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly form: URLSearchParams
  readonly headers: IncomingMessage['headers']
}

/** The response: an object is sent as JSON; the default status is 200. */
export interface ServerAnswer {
  readonly status?: number
  readonly body: unknown
}

export function answering(answer: (asked: Asked) => ServerAnswer): Promise<Counterpart> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status = 200, body } = answer(await read(request))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  return listening((request, response) => void respond(request, response))
}

export async function listening(listener: RequestListener): Promise<Counterpart> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: addressOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function addressOf(server: Server): string {
  const bound = server.address()
  return typeof bound === 'object' && bound !== null ? `http://127.0.0.1:${bound.port}` : ''
}

async function read(request: IncomingMessage): Promise<Asked> {
  const url = new URL(request.url ?? '/', 'http://counterpart')
  const body = await text(request)
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    form: new URLSearchParams(body),
    headers: request.headers,
  }
}
