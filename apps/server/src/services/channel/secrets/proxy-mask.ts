import { MASK, rejectUnknownMask } from './mask.ts'

/** Shows scheme, host and port of a proxy: `socks5://***@proxy.example:1080`. */
export function hideProxyLogin(value: unknown): unknown {
  const url = addressOf(value)
  if (url === undefined) return value
  return hasLogin(url) ? hidden(url) : value
}

/** A masked login is restored only for the proxy it was entered for. */
export function restoreProxyLogin(sent: unknown, stored: unknown): unknown {
  const url = addressOf(sent)
  if (url === undefined || url.username !== MASK || url.password !== '') return sent
  return hidden(url) === hideProxyLogin(stored) ? stored : rejectUnknownMask('proxy')
}

export function addressOf(value: unknown): URL | undefined {
  return typeof value === 'string' ? (URL.parse(value.trim()) ?? undefined) : undefined
}

function hasLogin({ username, password }: URL): boolean {
  return username !== '' || password !== ''
}

function hidden({ protocol, host, pathname, search }: URL): string {
  return `${protocol}//${MASK}@${host}${pathname === '/' ? '' : pathname}${search}`
}
