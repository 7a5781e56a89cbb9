import type { buildConnector } from 'undici'
import { WebSocket } from 'ws'
import { checkedHeaders } from './headers.ts'

export interface SocketRequest {
  /** `ws:` or `wss:`. */
  readonly url: string
  readonly protocols?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** See `proxyAddress`. */
  readonly proxy?: string | undefined
  readonly handshakeTimeoutMs?: number
  /** Longest message taken in; a longer one closes the connection. */
  readonly messageBytesMax?: number
}

const HANDSHAKE_TIMEOUT_MS = 30_000
/** A spoken answer comes in pieces far below this. */
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024

/** A WebSocket to a vendor, opened by the same guarded connector as everything else; no redirect is followed. */
export function openSocket(connect: buildConnector.connector, request: SocketRequest): WebSocket {
  return new WebSocket(request.url, [...(request.protocols ?? [])], {
    headers: checkedHeaders(request.headers ?? {}),
    handshakeTimeout: request.handshakeTimeoutMs ?? HANDSHAKE_TIMEOUT_MS,
    maxPayload: request.messageBytesMax ?? MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
    followRedirects: false,
    createConnection: connectionOver(connect, new URL(request.url)),
  })
}

type CreateConnection = NonNullable<WebSocket.ClientOptions['createConnection']>

/** Node hands a callback that its types leave out; a socket that is not open yet is given to it alone. */
function connectionOver(connect: buildConnector.connector, url: URL): CreateConnection {
  const isSecure = url.protocol === 'wss:'
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port || (isSecure ? '443' : '80')
  const destination = { hostname, host: url.host, protocol: isSecure ? 'https:' : 'http:', port }
  function create(_options: unknown, callback: (error: Error | null, socket?: unknown) => void): undefined {
    connect(destination, (error, socket) => (error ? callback(error) : callback(null, socket)))
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return create as unknown as CreateConnection
}
