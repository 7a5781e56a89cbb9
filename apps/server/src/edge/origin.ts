import type { IncomingMessage } from 'node:http'
import { problem } from '@tollgate/problems/problem'
import type { ProxyTest } from './client-address.ts'

/** Knows the addresses under which browsers reach the gateway, also behind proxies. */
export interface Origins {
  /** Throws unless the browser states that the request comes from a page of our own. */
  requireSameOrigin(request: IncomingMessage): void
  /** Throws only if the browser states that the request comes from another site. */
  refuseCrossSite(request: IncomingMessage): void
  /** Whether the browser uses HTTPS, either to the gateway or to the proxy in front of it. */
  isSecure(request: IncomingMessage): boolean
  /**
   * The host name that the browser requested, in lower case and without port; "" when it is not a valid host.
   */
  hostName(request: IncomingMessage): string
}

export interface OriginOptions {
  readonly proxies: ProxyTest
  /** The configured public address, or "". */
  publicAddress(): string
  /**
   * Called when a request was refused because the origin of its page differs from its `Host`: either an
   * attack, or a proxy that rewrites `Host`.
   */
  onHostsDiffer?(hosts: DifferentHosts): void
}

export interface DifferentHosts {
  /** Host of the page that sent the request. */
  readonly page: string
  /** Host that the request was sent to, as the gateway sees it. */
  readonly host: string
}

export function origins(options: OriginOptions): Origins {
  const refuse = (verdict: Verdict): never => {
    if (typeof verdict === 'string') throw problem('cross_site_refused')
    options.onHostsDiffer?.(verdict)
    throw problem('page_host_differs', { ...verdict })
  }
  return {
    requireSameOrigin: (request) => {
      const verdict = judge(request, options)
      if (verdict !== 'same') refuse(verdict)
    },
    refuseCrossSite: (request) => {
      const verdict = judge(request, options)
      if (verdict !== 'same' && verdict !== 'unknown') refuse(verdict)
    },
    isSecure: (request) => isSecure(request, options),
    hostName: (request) => URL.parse(`http://${askedHost(request, options)}`)?.hostname ?? '',
  }
}

type Verdict = 'same' | 'other' | 'unknown' | DifferentHosts

const HOST_CHARACTERS_SHOWN = 100

/**
 * `Sec-Fetch-Site` decides where browsers send it. Over plain HTTP they do not send it; then `Origin`
 * decides, and for GETs, which have no `Origin`, `Referer`. A page can set none of the three.
 */
function judge(request: IncomingMessage, options: OriginOptions): Verdict {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' ? 'same' : 'other'
  const source = request.headers.origin ?? request.headers.referer
  if (source === undefined) return 'unknown'
  const url = URL.parse(source)
  if (url === null) return 'other'
  if (ownHosts(request, options).includes(url.host.toLowerCase())) return 'same'
  if (url.host === '') return 'other'
  const [page, host] = [url.host, askedHost(request, options)].map((one) =>
    one.slice(0, HOST_CHARACTERS_SHOWN),
  )
  return { page: page ?? '', host: host ?? '' }
}

function ownHosts(request: IncomingMessage, options: OriginOptions): readonly string[] {
  const configured = URL.parse(options.publicAddress())?.host
  const forwarded = isFromProxy(request, options) ? lastOf(request.headers['x-forwarded-host']) : undefined
  return [request.headers.host, forwarded, configured].flatMap((host) => (host ? [host.toLowerCase()] : []))
}

function askedHost(request: IncomingMessage, options: OriginOptions): string {
  const forwarded = isFromProxy(request, options) ? lastOf(request.headers['x-forwarded-host']) : undefined
  return forwarded || (request.headers.host ?? '')
}

function isSecure(request: IncomingMessage, options: OriginOptions): boolean {
  if (isFromProxy(request, options) && lastOf(request.headers['x-forwarded-proto']) === 'https') return true
  const page = request.headers.origin ?? request.headers.referer
  return page?.startsWith('https://') === true && judge(request, options) === 'same'
}

function isFromProxy(request: IncomingMessage, options: OriginOptions): boolean {
  return options.proxies.has((request.socket.remoteAddress ?? '').replace(/^::ffff:/i, ''))
}

function lastOf(header: string | string[] | undefined): string | undefined {
  return String(header ?? '')
    .split(',')
    .at(-1)
    ?.trim()
}
