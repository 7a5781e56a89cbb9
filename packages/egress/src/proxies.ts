import { isIP } from 'node:net'
import { problem } from '@tollgate/problems/problem'
import { Pool, ProxyAgent, Socks5ProxyAgent, type buildConnector, type Dispatcher } from 'undici'
import type { DestinationPolicy } from './destination-policy.ts'
import { tunnelThrough } from './tunnel.ts'

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:', 'socks5h:', 'socks:'])

/**
 * Validates the address of a proxy: `http`, `https` or `socks5`, with or without user name and password.
 * Anything else throws a problem, because a call that should have gone through a proxy must not bypass it.
 */
export function proxyAddress(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const url = typeof value === 'string' ? URL.parse(value.trim()) : null
  if (url === null || !SCHEMES.has(url.protocol) || url.hostname === '') throw problem('proxy_invalid')
  return url.href.replace(/^socks5h:/, 'socks5:')
}

export interface ProxyParts {
  readonly policy: DestinationPolicy
  /** Opens the socket to the proxy itself; the proxy must be an allowed destination like any other host. */
  readonly connect: buildConnector.connector
  readonly connectTimeoutMs: number
  readonly proxiesMax: number
}

export interface Proxies {
  /**
   * Returns the same object for the same proxy. Throws a problem for a destination that may not be requested.
   */
  dispatcher(origin: string, proxy: string): Dispatcher
  /** For protocols other than HTTP. Throws as `dispatcher` does; the origin is written as an HTTP origin. */
  connector(origin: string, proxy: string): buildConnector.connector
  close(): Promise<void>
}

export function openProxies(parts: ProxyParts): Proxies {
  const agents = new Map<string, Dispatcher>()

  function open(proxy: string): Dispatcher {
    const [oldest] = agents
    if (oldest && agents.size >= parts.proxiesMax) {
      agents.delete(oldest[0])
      oldest[1].close().catch(() => undefined)
    }
    const agent = agentFor(proxy, parts)
    agents.set(proxy, agent)
    return agent
  }

  return {
    dispatcher: (origin, proxy) => {
      checkTarget(origin, parts.policy)
      return agents.get(proxy) ?? open(proxy)
    },
    connector: (origin, proxy) => {
      checkTarget(origin, parts.policy)
      return tunnelThrough(proxy, parts)
    },
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
      agents.clear()
    },
  }
}

function agentFor(proxy: string, { connect, connectTimeoutMs: connectTimeout }: ProxyParts): Dispatcher {
  if (proxy.startsWith('socks')) return new Socks5ProxyAgent(proxy, { connect, connectTimeout })
  return new ProxyAgent({
    uri: proxy,
    connectTimeout,
    // All traffic goes through a CONNECT tunnel, so that the proxy sees neither the requests nor the keys.
    proxyTunnel: true,
    clientFactory: (origin, options) => new Pool(origin, { ...options, connect }),
  })
}

/**
 * Host names are resolved by the proxy, in its own network, so only literal addresses (and `localhost`) can
 * be checked here.
 */
function checkTarget(origin: string, policy: DestinationPolicy): void {
  const url = URL.parse(origin)
  if (url === null || !/^https?:$/.test(url.protocol)) throw problem('destination_invalid')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const isRefused = isIP(host) === 0 ? /(?:^|\.)localhost$/.test(host) : !policy.allowsAddress(host, port)
  if (isRefused && !policy.trustsHost(host, port)) throw problem('destination_refused')
}
