import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type OnReadOpts, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { problem } from '@tollgate/problems/problem'
import { buildConnector } from 'undici'
import { noteConnectTime } from './connect-times.ts'
import { connectTimeout, connectToAny, type ConnectLimits } from './connect-to-any.ts'
import type { DestinationPolicy } from './destination-policy.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Resolves a host name to all its addresses. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>

export const systemResolve: Resolve = (hostname) => systemLookup(hostname, { all: true })

/** Idle time after which the system asks whether the other side still lives. */
const PROBE_DELAY_MS = 30_000

export interface ConnectorInput {
  readonly policy: DestinationPolicy
  readonly resolve: Resolve
  /** For all attempts of one connection together. */
  readonly connectTimeoutMs: number
  /** Where the sockets read to, if not into a stream. */
  readonly onread?: OnReadOpts
}

/**
 * Opens sockets only to addresses the policy allows. A socket is given the very address that was checked, so there
 * is no second resolution in between that could return something else. See `connectToAny` for repeated attempts.
 */
export function guardedConnector(input: ConnectorInput): buildConnector.connector {
  const { connectTimeoutMs: timeoutMs, onread } = input
  const open = asOpening(
    buildConnector({
      // The attempts have time limits of their own.
      timeout: 0,
      allowH2: false,
      keepAliveInitialDelay: PROBE_DELAY_MS,
      ...(onread && { onread }),
    }),
  )
  return (options, callback) => {
    const isInTunnel = options.httpSocket !== undefined
    const limits = { deadline: performance.now() + timeoutMs, tcpMs: timeoutMs, tlsMs: timeoutMs }
    const opening = isInTunnel
      ? openInTunnel(options, input, (checked) => connectOnce(open, checked, limits))
      : connectToAny({
          timeoutMs,
          resolve: () => allowedAddresses(options, input),
          connect: (address, its) => connectOnce(open, optionsFor(options, address), its),
        })
    void handOver(opening, callback)
  }
}

async function handOver(opening: Promise<Socket>, callback: buildConnector.Callback): Promise<void> {
  let socket: Socket
  try {
    socket = await opening
  } catch (error) {
    callback(error instanceof Error ? error : new Error(String(error)), null)
    return
  }
  callback(null, socket)
}

/** The other end of a tunnel resolves names. */
async function openInTunnel(
  options: buildConnector.Options,
  { policy }: ConnectorInput,
  open: (options: buildConnector.Options) => Promise<Socket>,
): Promise<Socket> {
  const { hostname } = options
  if (isIP(hostname) !== 0 && !policy.allowsAddress(hostname, readPort(options)))
    throw problem('destination_refused')
  return open(options)
}

/** Returns the allowed addresses of a host, or fails when there are none. */
async function allowedAddresses(
  options: buildConnector.Options,
  { policy, resolve }: ConnectorInput,
): Promise<readonly string[]> {
  const { hostname } = options
  const port = readPort(options)
  if (isIP(hostname) !== 0) {
    if (!policy.allowsAddress(hostname, port)) throw problem('destination_refused')
    return [hostname]
  }
  const resolved = await resolve(hostname).catch((cause: unknown) => {
    throw new Error('the name could not be resolved', { cause })
  })
  const isTrusted = policy.trustsHost(hostname, port)
  const allowed = resolved.filter(
    ({ address }) => isIP(address) !== 0 && (isTrusted || policy.allowsAddress(address, port)),
  )
  if (allowed.length === 0) throw problem('destination_refused')
  return alternateFamilies(allowed)
}

/** Where one family does not work at all, every second attempt is on the other. */
function alternateFamilies(addresses: readonly ResolvedAddress[]): readonly string[] {
  const first = addresses.filter(({ family }) => family === addresses[0]?.family)
  const others = addresses.filter(({ family }) => family !== addresses[0]?.family)
  return addresses
    .flatMap((_, at) => [first[at], others[at]])
    .flatMap((each) => (each === undefined ? [] : [each.address]))
}

/** The certificate is checked for the name of the host, and not for its address. */
function optionsFor(options: buildConnector.Options, address: string): buildConnector.Options {
  if (options.protocol !== 'https:' || isIP(options.hostname) !== 0) return { ...options, hostname: address }
  const { servername } = options
  const isNamed = servername !== undefined && servername !== null && servername !== ''
  return { ...options, hostname: address, servername: isNamed ? servername : options.hostname }
}

function connectOnce(
  open: OpenConnection,
  options: buildConnector.Options,
  { deadline, tcpMs, tlsMs }: ConnectLimits,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const loop = performance.eventLoopUtilization()
    const socket = open(options, (error, opened) => {
      clearTimeout(timer)
      if (error === null) resolve(opened)
      else reject(error)
    })
    const expireAfter = (ms: number) =>
      setTimeout(
        () => void socket.destroy(connectTimeout()),
        Math.max(0, Math.min(ms, deadline - performance.now())),
      )
    let timer = expireAfter(tcpMs)
    // Before the listener that ends the attempt where there is no TLS.
    socket.prependOnceListener('connect', () => {
      // The connection is not slower for what the event loop did meanwhile.
      const { idle } = performance.eventLoopUtilization(loop)
      noteConnectTime(socket, Math.min(idle, performance.now() - startedAt))
      clearTimeout(timer)
      timer = expireAfter(tlsMs)
    })
  })
}

function readPort({ port, protocol }: buildConnector.Options): number {
  return Number(port || (protocol === 'https:' ? 443 : 80))
}

type OpenConnection = (options: buildConnector.Options, callback: buildConnector.Callback) => Socket

/** The types of undici omit that a connector returns the socket, which is needed to end an attempt. */
function asOpening(connector: buildConnector.connector): OpenConnection {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return connector as unknown as OpenConnection
}
