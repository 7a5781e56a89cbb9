import type { buildConnector } from 'undici'
import { WebSocket } from 'ws'
import { checkedHeaders } from './headers.ts'

export interface SocketRequest {
  /** A `ws:` or `wss:` URL. */
  readonly url: string
  readonly protocols?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** See `proxyAddress`. */
  readonly proxy?: string | undefined
  readonly handshakeTimeoutMs?: number
  /** Largest message accepted, in bytes; a larger one closes the connection. */
  readonly messageBytesMax?: number
}

const HANDSHAKE_TIMEOUT_MS = 30_000
/** How long the other side may keep the connection after a close frame, or after a frame that is not valid. */
const CLOSING = { closeTimeout: 2_000 }
/** Even audio responses arrive in pieces far smaller than this. */
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024

/**
 * Opens a WebSocket to a vendor with the same guarded connector as all other traffic; redirects are not
 * followed.
 */
export function openSocket(connect: buildConnector.connector, request: SocketRequest): WebSocket {
  return new WebSocket(request.url, [...(request.protocols ?? [])], {
    headers: checkedHeaders(request.headers ?? {}),
    handshakeTimeout: request.handshakeTimeoutMs ?? HANDSHAKE_TIMEOUT_MS,
    maxPayload: request.messageBytesMax ?? MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
    // The types of the library do not know it.
    ...CLOSING,
    followRedirects: false,
    createConnection: connectionOver(connect, new URL(request.url)),
  })
}

type CreateConnection = NonNullable<WebSocket.ClientOptions['createConnection']>

/**
 * Node passes a callback that its types omit. While a socket is still connecting, it can be handed over only
 * through that callback.
 */
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
