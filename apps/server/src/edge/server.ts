import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import type { RouteDefinition } from '@tollgate/contract/route'
import type { Clock } from '@tollgate/kit/clock'
import { requestId } from '@tollgate/kit/ids'
import { inStage } from '@tollgate/kit/turn'
import { problem } from '@tollgate/problems/problem'
import fastify from 'fastify'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AccessCheck, Identities } from './access.ts'
import type { AccessEntry, AccessLog } from './access-log.ts'
import { sendFailure, sendUnknownPath } from './answer.ts'
import type { EdgeLog } from './answer.ts'
import { serveApiPage } from './api-page.ts'
import type { ClientAddress } from './client-address.ts'
import { closeListener } from './close-listener.ts'
import { hashedFiles, isRefusedPath, serveConsole } from './console-files.ts'
import type { ConsoleOptions } from './console-files.ts'
import { addSecurityHeaders, type PageOrigins } from './content-policy.ts'
import type { BoundRoute } from '../services/handler.ts'
import { livenessPaths, readinessPaths, serveHealth } from './health.ts'
import type { Health } from './health.ts'
import { parseJsonBody } from './json-body.ts'
import { countAddress } from './limits.ts'
import type { EdgeLimits } from './limits.ts'
import { mountRoutes } from './mount.ts'
import type { Origins } from './origin.ts'
import { checkRegistry } from './registry.ts'
import type { RelayPort } from './relay-port.ts'
import type { IdempotencyStore } from './idempotency.ts'

export interface EdgeParts extends PageOrigins {
  readonly version: string
  readonly clock: Clock
  readonly log: EdgeLog
  readonly table: readonly RouteDefinition[]
  readonly bound: readonly BoundRoute[]
  readonly access: AccessCheck
  readonly identities: Identities
  readonly origins: Origins
  readonly limits: EdgeLimits
  readonly clientAddress: ClientAddress
  readonly idempotency: IdempotencyStore
  readonly caughtUp: () => Promise<void>
  readonly health: Health
  readonly metricsToken: string | undefined
  readonly console: ConsoleOptions
  readonly relay: RelayPort
  /** Absent where the operator wants no line for each request. */
  readonly accessLog?: AccessLog | undefined
}

export interface Listening {
  readonly host: string
  readonly port: number
  /** Other processes listen on the same port, and the operating system distributes the connections. */
  readonly isShared?: boolean
}

export interface Edge {
  /** Starts listening and returns the address for browsers. */
  listen(where: Listening): Promise<string>
  /** Still accepts everything, but each response ends its connection, so that a proxy reuses none of them. */
  announceStop(): void
  /** Accepts no new connections, and still serves requests on those that are open. */
  stopAccepting(): void
  /** Accepts no new connections and closes those without a request; requests in flight continue. */
  stopListening(): void
  /** Waits up to `limitMs` for responses in flight and then frees everything. Call `stopListening` first. */
  close(limitMs: number): Promise<void>
}

const HEADER_BYTES_MAX = 16 * 1024
const HEADERS_MS = 15_000
/** Time limit from the first byte of a request to the last byte of its body. */
const BODY_MS = 120_000
/**
 * Longer than the usual 60 s of a proxy in front, so that the gateway never closes a connection that the
 * proxy is about to reuse.
 */
const KEEP_ALIVE_MS = 75_000
const IDLE_SWEEP_MS = 100

/** One HTTP server: relay paths go straight to the relay, everything else to the web framework. */
export async function openEdge(parts: EdgeParts): Promise<Edge> {
  checkRegistry(parts.table, parts.bound)
  const app = await webApplication(parts)
  const limits = {
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: HEADERS_MS,
    requestTimeout: BODY_MS,
    // Only WebSocket upgrades are handled. Some clients offer an upgrade to HTTP/2 with every request; those
    // requests are answered normally.
    shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
  }
  const closed = Promise.withResolvers<void>()
  // Sockets without a request so far. Browsers open connections in advance, and Node does not count them as
  // idle.
  const silent = new Set<Socket>()
  let isStopping = false
  let isClosing = false
  let isAnnounced = false
  const server = createServer({ ...limits, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    silent.delete(request.socket)
    if (isStopping || isAnnounced) response.setHeader('connection', 'close')
    dispatch({ request, response, relay: parts.relay, app, entry: parts.accessLog?.begin(request, response) })
  })
  server.on('upgrade', (request, socket, head) => {
    silent.delete(request.socket)
    parts.accessLog?.beginSocket(request, socket)
    parts.relay.upgrade(request, socket, head)
  })
  server.on('connection', (socket) => {
    // Node adds the address to the socket when it is first read, and not every request reads it. Code that handles
    // sockets of one shape alone is faster.
    void socket.remoteAddress
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  const closeIdle = () => {
    for (const socket of silent) socket.destroy()
    server.closeIdleConnections()
  }
  const stopAccepting = () => {
    if (isClosing) return
    isClosing = true
    closeListener(server, () => closed.resolve())
  }
  return {
    listen: (where) => listen(server, where),
    announceStop: () => {
      isAnnounced = true
    },
    stopAccepting,
    stopListening: () => {
      if (isStopping) return
      isStopping = true
      // Closes idle connections now and keeps doing so: a connection that stays open after its response would
      // delay the shutdown.
      const sweep = setInterval(closeIdle, IDLE_SWEEP_MS)
      void closed.promise.then(() => clearInterval(sweep))
      closeIdle()
      stopAccepting()
    },
    close: async (limitMs) => {
      // More than once, because connections may be accepted until the listening socket is closed.
      const deadline = setInterval(() => server.closeAllConnections(), limitMs)
      await closed.promise
      clearInterval(deadline)
      await app.close()
    },
  }
}

interface Dispatched {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly relay: RelayPort
  readonly app: FastifyInstance
  readonly entry: AccessEntry | undefined
}

function dispatch({ request, response, relay, app, entry }: Dispatched): void {
  if (relay.matches(request.method ?? '', request.url ?? ''))
    inStage('handle', () => {
      const requestId = relay.handle(request, response)
      if (entry !== undefined) entry.requestId = requestId
    })
  else app.routing(request, response)
}

async function webApplication(parts: EdgeParts): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    genReqId: () => requestId(parts.clock.nowMs()),
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
    frameworkErrors: (_error, request, reply) => sendUnknownPath(request, reply),
  })
  const uncounted = hashedFiles(parts.console)
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-oneapi-request-id', request.id)
    if (isCountedAsPage(request) && !uncounted.has(pathOf(request)))
      await countAddress(parts.limits, 'web', parts.clientAddress(request.raw))
  })
  app.setErrorHandler((error, request, reply) => {
    if (isRefusedPath(error)) sendUnknownPath(request, reply)
    else sendFailure(reply, { error, request, log: parts.log })
  })
  acceptBodies(app)
  await addSecurityHeaders(app, parts)
  await app.register(compress, { encodings: ['br', 'gzip'], threshold: 1024, globalDecompression: false })
  mountRoutes(app, parts.bound, parts)
  serveHealth(app, parts)
  await serveApiPage(app, { routes: parts.table, version: parts.version })
  await serveConsole(app, parts.console)
  await app.ready()
  return app
}

const UNCOUNTED: ReadonlySet<string> = new Set([...livenessPaths, ...readinessPaths, '/metrics'])

/** True for files, pages and unknown paths. Admin API routes are counted by their own rate class. */
function isCountedAsPage({ routeOptions }: FastifyRequest): boolean {
  const { url = '' } = routeOptions
  return !url.startsWith('/api/') && !UNCOUNTED.has(url)
}

function pathOf({ url }: FastifyRequest): string {
  const [path = ''] = url.split('?', 1)
  return path
}

/**
 * Only routes with `acceptsForm` in the route table accept a form. If a field name is repeated, its first
 * value counts.
 */
async function readForm(request: FastifyRequest, body: string): Promise<unknown> {
  const { config } = request.routeOptions
  if (!('acceptsForm' in config) || config.acceptsForm !== true) throw problem('body_type_unsupported')
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(body)) if (!fields.has(name)) fields.set(name, value)
  return Object.fromEntries(fields)
}

/**
 * The body limit counts the bytes received, so compressed bodies, which could exceed it after decompression,
 * are refused.
 */
function acceptBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, readForm)
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, body: string) => {
      const encoding = request.headers['content-encoding'] ?? 'identity'
      if (encoding !== 'identity') throw problem('body_type_unsupported')
      return parseJsonBody(body)
    },
  )
}

/**
 * Platforms where the operating system distributes connections evenly over `reusePort` sockets. Elsewhere the
 * processes share one socket.
 */
const REUSES_PORTS: ReadonlySet<string> = new Set(['linux', 'freebsd', 'sunos', 'aix'])

async function listen(server: Server, { host, port, isShared = false }: Listening): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    const reusePort = isShared && REUSES_PORTS.has(process.platform)
    server.listen({ port, reusePort, ...(host !== '' && { host }) }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const bound = server.address()
  const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port
  return `http://${shownHost(host)}:${boundPort}`
}

/**
 * The host in the logged address. Wildcard addresses are shown as `localhost`, so that the link can be
 * clicked.
 */
function shownHost(host: string): string {
  if (host === '' || host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
