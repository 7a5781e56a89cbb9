import type { Spoken } from '../provider.ts'

/** Where one attempt goes. */
export type UrlWriter = Spoken['url']

/** Cloudflare's AI gateway stands for the vendor's version prefix already. */
const AI_GATEWAY = 'https://gateway.ai.cloudflare.com'

/** Base and path, with neither a doubled slash nor a doubled version (`…/v1` + `/v1/…`). */
export function joinUrl(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, '')
  const version = /\/v\d+$/.exec(base)?.[0]
  return version !== undefined && path.startsWith(`${version}/`)
    ? base + path.slice(version.length)
    : base + path
}

export function at(path: string): UrlWriter {
  return (_outgoing, upstream) => joinUrl(upstream.baseUrl, path)
}

/** As {@link at}; behind Cloudflare's AI gateway without `prefix`. */
export function behindGateway(path: string, prefix: string): UrlWriter {
  return (_outgoing, { baseUrl }) =>
    joinUrl(baseUrl, baseUrl.startsWith(AI_GATEWAY) ? path.slice(prefix.length) : path)
}

/** A name as one segment of a path. */
export function segment(name: string): string {
  return encodeURIComponent(name)
}
