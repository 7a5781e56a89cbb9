import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '@tollgate/kit/clock'
import type { ClientAddress } from './client-address.ts'

/** One line for each request and each WebSocket that has ended. Never has a query string, a header or a body. */
export interface AccessLog {
  begin(request: IncomingMessage, response: ServerResponse): AccessEntry
  beginSocket(request: IncomingMessage, socket: Duplex): void
}

/** A request under way. The relay names it once it has an id. */
export interface AccessEntry {
  requestId: string | undefined
}

export interface AccessLogParts {
  readonly clock: Clock
  readonly clientAddress: ClientAddress
  readonly write: (fields: Readonly<Record<string, unknown>>, message: string) => void
}

export function createAccessLog({ clock, clientAddress, write }: AccessLogParts): AccessLog {
  // The address is read at once, because the socket has none after it is closed.
  const begin = (request: IncomingMessage) => ({
    startedAt: clock.monotonicMs(),
    fields: {
      method: request.method ?? '',
      path: showPath(request.url ?? ''),
      address: clientAddress(request),
    },
  })
  const durationSince = (startedAt: number) => Math.round(clock.monotonicMs() - startedAt)
  return {
    begin(request, response) {
      const { startedAt, fields } = begin(request)
      const entry: AccessEntry = { requestId: undefined }
      response.once('close', () => {
        const header = response.getHeader('x-oneapi-request-id')
        const end = {
          status: response.headersSent ? response.statusCode : 0,
          isComplete: response.writableFinished,
          durationMs: durationSince(startedAt),
          requestId: entry.requestId ?? (typeof header === 'string' ? header : undefined),
        }
        write({ ...fields, ...end }, 'request')
      })
      return entry
    },
    beginSocket(request, socket) {
      const { startedAt, fields } = begin(request)
      socket.once('close', () => write({ ...fields, durationMs: durationSince(startedAt) }, 'websocket'))
    },
  }
}

const PATH_CHARACTERS_MAX = 256

/**
 * The path without its query. A segment that may be a secret is hidden: a client that is set up wrongly may put its
 * key there.
 */
export function showPath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  return path.slice(0, PATH_CHARACTERS_MAX).split('/').map(showSegment).join('/')
}

/** Keys have letters of both cases or are hexadecimal; names of models and of files are not. */
function showSegment(segment: string): string {
  const isRandom = /^[\w-]{32,}$/.test(segment) && (/[A-Z]/.test(segment) || /^[\da-f]+$/.test(segment))
  return isRandom || segment.startsWith('sk-') ? '[hidden]' : segment
}
