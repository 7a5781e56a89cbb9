import { problem } from '@tollgate/problems/problem'
import { Pool, type Dispatcher } from 'undici'
import { destinationPolicy } from './destination-policy.ts'
import type { Egress } from './egress.ts'
import { performExchange } from './exchange.ts'
import { openSocket, type SocketRequest } from './open-socket.ts'
import { SocketDispatcher } from './socket-dispatcher.ts'
import { OriginClient } from './http1/origin-client.ts'
import { readsIntoSharedBuffer } from './http1/shared-buffer.ts'
import { openProxies } from './proxies.ts'
import { guardedConnector, systemResolve, type Resolve } from './guarded-connector.ts'

export interface EgressOptions {
  /** Host names, addresses and CIDR ranges outside the public internet that may be reached, each with an optional port. */
  readonly allowedAddresses: readonly string[]
  readonly limits?: Partial<EgressLimits>
  /** Name resolution; defaults to the system's resolver. */
  readonly resolve?: Resolve
}

export interface EgressLimits {
  readonly connectTimeoutMs: number
  /** Longest wait for response headers where undici sends the request; a single request may set a shorter one. */
  readonly headersTimeoutMs: number
  /** Longest silence within a body where undici sends the request; a single request may set a shorter one. */
  readonly bodyTimeoutMs: number
  /** Idle sockets are kept this long unless the server says otherwise. */
  readonly keepAliveMs: number
  /** A reused connection that closes sooner than this after a write was closed before, however near the origin. */
  readonly unreadMsMin: number
  readonly connectionsPerOriginMax: number
  readonly headerBytesMax: number
  /** Origins with connections. When it is exceeded, those of the oldest are closed once they are not in use. */
  readonly originsMax: number
}

/**
 * Ten minutes to the first byte suit a reasoning model that thinks before it answers. 45 s of keep-alive stay
 * below the 60 s after which common load balancers close idle connections, so a reused socket is seldom a
 * dead one.
 */
export const defaultEgressLimits: EgressLimits = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 600_000,
  bodyTimeoutMs: 300_000,
  keepAliveMs: 45_000,
  unreadMsMin: 1,
  connectionsPerOriginMax: 1024,
  headerBytesMax: 32 * 1024,
  originsMax: 1000,
}

const PROXIES_MAX = 200

/**
 * Creates the egress. Throws when an allowed address cannot be parsed, so that a typing error is noticed at
 * start.
 */
export function openEgress(options: EgressOptions): Egress {
  const limits = { ...defaultEgressLimits, ...options.limits }
  const policy = destinationPolicy(options.allowedAddresses)
  const resolve = options.resolve ?? systemResolve
  const connecting = { policy, resolve, connectTimeoutMs: limits.connectTimeoutMs }
  const connect = guardedConnector(connecting)
  const connectForClients = guardedConnector({ ...connecting, onread: readsIntoSharedBuffer })
  const clients = new Map<string, OriginClient>()

  function open(given: string): OriginClient {
    const origin = originOf(given)
    const client = new OriginClient({
      origin,
      connect: connectForClients,
      connectionsMax: limits.connectionsPerOriginMax,
      keepAliveMs: limits.keepAliveMs,
      unreadMsMin: limits.unreadMsMin,
      headBytesMax: limits.headerBytesMax,
      openGeneral: () => openPool(origin),
    })
    retireOldest()
    clients.set(given, client)
    return client
  }

  function openPool(origin: string): Pool {
    return new Pool(origin, {
      connect,
      connections: limits.connectionsPerOriginMax,
      pipelining: 1,
      headersTimeout: limits.headersTimeoutMs,
      bodyTimeout: limits.bodyTimeoutMs,
      keepAliveTimeout: limits.keepAliveMs,
      maxHeaderSize: limits.headerBytesMax,
    })
  }

  function retireOldest(): void {
    const [oldest] = clients
    if (!oldest || clients.size < limits.originsMax) return
    clients.delete(oldest[0])
    oldest[1].retire()
  }

  const { connectTimeoutMs } = limits
  const proxies = openProxies({ policy, connect, connectTimeoutMs, proxiesMax: PROXIES_MAX })
  const dispatcher = (origin: string, proxy?: string): Dispatcher => {
    if (/^wss?:/.test(origin)) return socketsTo(origin, proxy)
    if (proxy !== undefined) return proxies.dispatcher(origin, proxy)
    return clients.get(origin) ?? open(origin)
  }
  const socket = (request: SocketRequest) => {
    const { url, proxy } = request
    return openSocket(proxy === undefined ? connect : proxies.connector(asHttp(url), proxy), request)
  }

  /** Each WebSocket call has a connection of its own, so there is no pool to keep. */
  function socketsTo(origin: string, proxy: string | undefined): Dispatcher {
    const open = (request: SocketRequest) => socket({ ...request, proxy })
    return new SocketDispatcher(URL.parse(origin)?.origin ?? origin, open)
  }

  return {
    dispatcher,
    socket,
    exchange: (request) => performExchange(dispatcher, request),
    connection: ({ host, port }) =>
      new Promise((resolve, reject) => {
        const destination = { hostname: host, host: `${host}:${port}`, protocol: 'http:', port: String(port) }
        connect(destination, (error, opened) => (error ? reject(error) : resolve(opened)))
      }),
    close: async () => {
      const all = [...clients.values()]
      clients.clear()
      await Promise.all([...all.map((client) => client.destroy()), proxies.close()])
    },
  }
}

/** For routing purposes `ws:` equals `http:` and `wss:` equals `https:`. */
function asHttp(url: string): string {
  return url.replace(/^ws/, 'http')
}

/**
 * Returns the origin in canonical spelling: an IPv4 address in any notation becomes its four decimal parts.
 */
function originOf(text: string): string {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw problem('destination_invalid')
  return url.origin
}
