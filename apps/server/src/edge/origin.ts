import type { IncomingMessage } from 'node:http'
import { problem } from '@tollgate/kit/problem'
import type { ProxyTest } from './client-address.ts'

/** Knows under which addresses browsers reach us, behind proxies too. */
export interface Origins {
  /** Throws unless the browser says that the request comes from a page of ours. */
  requireSameOrigin(request: IncomingMessage): void
  /** Throws only when the browser says that it comes from elsewhere. */
  refuseCrossSite(request: IncomingMessage): void
  /** Whether the browser speaks HTTPS to us or to the proxy in front. */
  isSecure(request: IncomingMessage): boolean
  /** The name that the browser asked for, without its port, in lower case; "" when it is none. */
  hostName(request: IncomingMessage): string
}

export interface OriginOptions {
  readonly proxies: ProxyTest
  /** The configured public address, or "". */
  publicAddress(): string
  /** A request was refused because its page and its `Host` differ: an attack, or a proxy that rewrites `Host`. */
  onHostsDiffer?(hosts: DifferentHosts): void
}

export interface DifferentHosts {
  /** Of the page that sent the request. */
  readonly page: string
  /** What the gateway was asked as. */
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
 * `Sec-Fetch-Site` decides where browsers send it. Over plain HTTP they do not; then `Origin` does, and for GETs, which
 * carry none, `Referer`. No page can set any of the three.
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
