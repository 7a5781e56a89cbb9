import { isIP } from 'node:net'
import { problem } from '@tollgate/kit/problem'
import { Pool, ProxyAgent, Socks5ProxyAgent, type buildConnector, type Dispatcher } from 'undici'
import type { DestinationPolicy } from './destination-policy.ts'
import { tunnelThrough } from './tunnel.ts'

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:', 'socks5h:', 'socks:'])

/**
 * The address of a proxy: `http`, `https` or `socks5`, with a name and a password or without. Anything else is a problem,
 * because a call that should have gone through a proxy must not go past it.
 */
export function proxyAddress(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const url = typeof value === 'string' ? URL.parse(value.trim()) : null
  if (url === null || !SCHEMES.has(url.protocol) || url.hostname === '') throw problem('proxy_invalid')
  return url.href.replace(/^socks5h:/, 'socks5:')
}

export interface ProxyParts {
  readonly policy: DestinationPolicy
  /** Opens the socket to the proxy itself; a proxy is a destination like any other. */
  readonly connect: buildConnector.connector
  readonly connectTimeoutMs: number
  readonly proxiesMax: number
}

export interface Proxies {
  /** The same object for the same proxy. Throws a problem for a destination that may not be asked for. */
  dispatcher(origin: string, proxy: string): Dispatcher
  /** For what is no HTTP. Throws as `dispatcher` does; the origin is written as one of HTTP. */
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
    // Everything goes through a tunnel: what is asked, and with which key, is no business of the proxy's.
    proxyTunnel: true,
    clientFactory: (origin, options) => new Pool(origin, { ...options, connect }),
  })
}

/** Names are resolved by the proxy, in its own network; literal addresses are known here. */
function checkTarget(origin: string, policy: DestinationPolicy): void {
  const url = URL.parse(origin)
  if (url === null || !/^https?:$/.test(url.protocol)) throw problem('destination_invalid')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const isRefused = isIP(host) === 0 ? /(?:^|\.)localhost$/.test(host) : !policy.allowsAddress(host, port)
  if (isRefused && !policy.trustsHost(host, port)) throw problem('destination_refused')
}
