import type { Socket } from 'node:net'
import { problem } from '@tollgate/problems/problem'
import { Client, Socks5ProxyAgent, type buildConnector } from 'undici'

export interface TunnelParts {
  /** Opens the socket to the proxy itself. */
  readonly connect: buildConnector.connector
  readonly connectTimeoutMs: number
}

/**
 * Opens sockets to destinations behind a proxy, for protocols other than HTTP. TLS is negotiated end to end
 * with the destination, inside the tunnel.
 */
export function tunnelThrough(proxy: string, parts: TunnelParts): buildConnector.connector {
  const open = proxy.startsWith('socks') ? socksTunnel(proxy, parts) : httpTunnel(proxy, parts)
  return ({ hostname, port, protocol, servername = hostname }, callback) => {
    const fail = (error: unknown): void =>
      callback(error instanceof Error ? error : problem('do_request_failed'), null)
    const join = (httpSocket: Socket): void => {
      if (protocol !== 'https:') return callback(null, httpSocket)
      parts.connect({ hostname, port, protocol, servername, httpSocket }, callback)
    }
    open(hostname, Number(port)).then(join, fail)
  }
}

type OpenTunnel = (host: string, port: number) => Promise<Socket>

/** `CONNECT`, https://www.rfc-editor.org/rfc/rfc9110#name-connect */
function httpTunnel(proxy: string, { connect, connectTimeoutMs }: TunnelParts): OpenTunnel {
  const { origin, username, password } = new URL(proxy)
  const credential = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  const authorization = username !== '' && { 'proxy-authorization': `Basic ${credential.toString('base64')}` }
  return async (host, port) => {
    const client = new Client(origin, { connect })
    const target = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
    const signal = AbortSignal.timeout(connectTimeoutMs)
    try {
      const headers = { host: target, ...authorization }
      const { statusCode, socket } = await client.connect({ path: target, headers, signal })
      if (statusCode === 200) return asSocket(socket)
      socket.destroy()
      throw problem('do_request_failed')
    } finally {
      // The socket no longer belongs to the client once the tunnel is open, so closing the client does not
      // close it.
      client.close(() => undefined)
    }
  }
}

/** The client types the socket as a `Duplex`, but it always is a `Socket`. */
function asSocket(socket: object): Socket {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return socket as Socket
}

function socksTunnel(proxy: string, { connect, connectTimeoutMs: connectTimeout }: TunnelParts): OpenTunnel {
  const agent = asTunneller(new Socks5ProxyAgent(proxy, { connect, connectTimeout }))
  return (host, port) => agent.createSocks5Connection(host, port)
}

interface Tunneller {
  createSocks5Connection: OpenTunnel
}

/** The types of undici omit `createSocks5Connection`, which the agent calls for its own requests. */
function asTunneller(agent: Socks5ProxyAgent): Tunneller {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return agent as unknown as Tunneller
}
