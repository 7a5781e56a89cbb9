import { type IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { invariant } from '@tollgate/kit/invariant'

/** Answers a websocket upgrade as an ordinary HTTP request, and closes the connection. */
export function answerUpgrade(
  { request, socket }: { readonly request: IncomingMessage; readonly socket: Duplex },
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  invariant(socket instanceof Socket, "an HTTP server's connections are sockets")
  socket.on('error', () => socket.destroy())
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => socket.end())
  answer(request, response)
}
