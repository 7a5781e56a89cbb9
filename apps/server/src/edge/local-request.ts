import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Headers that proxies add, besides those that begin with `x-forwarded-` or `cf-`. */
const FORWARDING: ReadonlySet<string> = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'x-envoy-external-address',
  'true-client-ip',
  'fastly-client-ip',
])

/**
 * Whether the request comes from a program on this machine that was configured with a local address: a
 * loopback socket, a loopback `Host`, and no sign of a proxy. HTTP/1.0 counts as such a sign: by default
 * nginx uses it for its upstreams and sends the upstream's own name as `Host`.
 */
export function isLocalRequest({ socket, headers, httpVersion }: IncomingMessage): boolean {
  if (httpVersion === '1.0' || Object.keys(headers).some(isForwarding)) return false
  return isLoopback(socket.remoteAddress ?? '') && isLoopbackHost(headers.host ?? '')
}

function isForwarding(name: string): boolean {
  return FORWARDING.has(name) || name.startsWith('x-forwarded-') || name.startsWith('cf-')
}

function isLoopbackHost(host: string): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? ''
  return name === 'localhost' || isLoopback(name.replace(/^\[|\]$/g, ''))
}

function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
