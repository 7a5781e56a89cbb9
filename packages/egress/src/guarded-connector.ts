import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction, type OnReadOpts } from 'node:net'
import { problem } from '@tollgate/problems/problem'
import { buildConnector } from 'undici'
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
  readonly connectTimeoutMs: number
  /** Where the sockets read to, if not into a stream. */
  readonly onread?: OnReadOpts
}

/**
 * Opens sockets only to addresses the policy allows. The check runs inside the lookup that the socket
 * connects with, so there is no second resolution in between that could return something else.
 */
export function guardedConnector({
  policy,
  resolve,
  connectTimeoutMs,
  onread,
}: ConnectorInput): buildConnector.connector {
  const connectors = new Map<number, buildConnector.connector>()
  const connectorFor = (port: number) => {
    const known = connectors.get(port)
    if (known) return known
    const lookup = guardedLookup(policy, resolve, port)
    const connector = buildConnector({
      lookup,
      timeout: connectTimeoutMs,
      allowH2: false,
      keepAliveInitialDelay: PROBE_DELAY_MS,
      ...(onread && { onread }),
    })
    connectors.set(port, connector)
    return connector
  }
  return (options, callback) => {
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80))
    // A literal address is never looked up, so it is checked here.
    if (isIP(options.hostname) !== 0 && !policy.allowsAddress(options.hostname, port)) {
      callback(problem('destination_refused'), null)
      return
    }
    connectorFor(port)(options, callback)
  }
}

/** Returns the allowed addresses of a host, or fails when there are none. */
function guardedLookup(policy: DestinationPolicy, resolve: Resolve, port: number): LookupFunction {
  const answer = async (...[hostname, options, callback]: Parameters<LookupFunction>): Promise<void> => {
    let addresses: readonly ResolvedAddress[]
    try {
      addresses = await resolve(hostname)
    } catch (cause) {
      callback(new Error('the name could not be resolved', { cause }), '')
      return
    }
    const isTrusted = policy.trustsHost(hostname, port)
    const allowed = addresses.filter(({ address }) => isTrusted || policy.allowsAddress(address, port))
    const [first] = allowed
    if (!first) callback(problem('destination_refused'), '')
    else if (options.all) callback(null, [...allowed])
    else callback(null, first.address, first.family)
  }
  return (hostname, options, callback) => void answer(hostname, options, callback)
}
