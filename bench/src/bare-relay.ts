/**
 * A process: a minimal relay with the same libraries as the gateway. It reads the request, sends it through
 * an undici pool and copies the response. `node bare-relay.ts <port> <JSON: origins by kind>`
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import process from 'node:process'
import { Pool, type Dispatcher } from 'undici'

const [port, origins = '{}'] = process.argv.slice(2)
const options = { connections: 1024, pipelining: 1, keepAliveTimeout: 45_000 }
const pools = new Map(
  Object.entries<string>(JSON.parse(origins)).map(([kind, origin]) => [kind, new Pool(origin, options)]),
)

createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = parts.length === 1 ? (parts[0] ?? null) : Buffer.concat(parts)
    pools.get(String(request.headers['x-bench-kind']))?.dispatch(outgoing(request, body), copyTo(response))
  })
}).listen(Number(port), '127.0.0.1', 4096)

function outgoing(request: IncomingMessage, body: Buffer | null): Dispatcher.DispatchOptions {
  const headers = {
    'content-type': 'application/json',
    authorization: request.headers.authorization ?? '',
  }
  return { method: 'POST', path: request.url ?? '/', headers, body }
}

function copyTo(response: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller) => {
      response.on('close', () => {
        if (!response.writableFinished) controller.abort(new Error('the client left'))
      })
    },
    onResponseStart: (_controller, status, headers) => {
      const type = String(headers['content-type'] ?? 'application/json')
      const length = headers['content-length']
      if (length !== undefined) response.setHeader('content-length', String(length))
      response.writeHead(status, { 'content-type': type })
    },
    onResponseData: (controller, chunk) => {
      if (response.write(chunk)) return
      controller.pause()
      response.once('drain', () => controller.resume())
    },
    onResponseEnd: () => void response.end(),
    onResponseError: () => void response.destroy(),
  }
}
