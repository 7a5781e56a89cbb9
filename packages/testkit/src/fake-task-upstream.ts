import { createServer, type IncomingMessage } from 'node:http'
import { invariant } from '@tollgate/kit/invariant'

/**
 * A fake upstream for drawings and music. It returns the responses that a test sets and records the requests
 * it gets.
 */
export interface TaskUpstream {
  readonly url: string
  readonly asked: {
    readonly path: string
    readonly headers: IncomingMessage['headers']
    readonly body: unknown
  }[]
  /** Sets the next responses for a path; the last one is repeated. */
  answer(path: string, ...answers: readonly UpstreamAnswer[]): void
  close(): Promise<void>
}

export interface UpstreamAnswer {
  readonly status?: number
  readonly body?: unknown
  readonly bytes?: Buffer
  readonly type?: string
  readonly location?: string
  /** In seconds, or as a date. */
  readonly retryAfter?: string
  /** Closes the connection without a response. */
  readonly isCut?: boolean
}

/** A multipart form stays text. */
function bodyOf(text: string, type = ''): unknown {
  if (text === '') return undefined
  return type.startsWith('multipart/') ? text : (JSON.parse(text) as unknown)
}

export async function openTaskUpstream(): Promise<TaskUpstream> {
  const asked: TaskUpstream['asked'] = []
  const answers = new Map<string, UpstreamAnswer[]>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = (request.url ?? '').split('?')[0] ?? ''
      const text = Buffer.concat(chunks).toString()
      asked.push({
        path,
        headers: request.headers,
        body: bodyOf(text, request.headers['content-type']),
      })
      const reported = answers.get(path) ?? []
      const answer = (reported.length > 1 ? reported.shift() : reported[0]) ?? { status: 404, body: {} }
      if (answer.isCut) {
        request.socket.destroy()
        return
      }
      const type = answer.type ?? 'application/json'
      response.writeHead(answer.status ?? 200, {
        'content-type': type,
        ...(answer.location && { location: answer.location }),
        ...(answer.retryAfter && { 'retry-after': answer.retryAfter }),
      })
      response.end(answer.bytes ?? JSON.stringify(answer.body ?? {}))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  invariant(typeof address === 'object' && address, 'the upstream listens on a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    answer: (path, ...list) => void answers.set(path, [...list]),
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}
