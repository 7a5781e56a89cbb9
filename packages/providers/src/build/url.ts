import { withoutTrailing } from '@tollgate/kit/without-trailing'
import { problem } from '@tollgate/kit/problem'
import type { Endpoint } from '../provider.ts'

/** Where one attempt goes. */
export type UrlWriter = Endpoint['url']

/** Cloudflare's AI gateway stands for the vendor's version prefix already. */
const AI_GATEWAY = 'https://gateway.ai.cloudflare.com'

/** Base and path, with neither a doubled slash nor a doubled version (`…/v1` + `/v1/…`). */
export function joinUrl(baseUrl: string, path: string): string {
  const base = withoutTrailing(baseUrl, '/')
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

const MODEL = '{model}'
const AUTHORITY = /^(https?:\/\/)([^/?#\\]*)(.*)$/s
/** Callers choose models, so the end of a host that is named by one must stand in the address itself. */
const FIXED_END = /[^{}]*(?:\.[a-z0-9-]+){2}(?::\d+)?$/i
const HOST_PART = /^[a-z0-9.-]+$/i

/**
 * An address, or a path, with the model in the place of `{model}`. Throws `destination_invalid` when the model would decide
 * whose host it is.
 */
export function withModel(address: string, model: string): string {
  const [whole, scheme = '', host = '', rest = ''] = AUTHORITY.exec(address) ?? []
  const name = segment(model)
  if (whole === undefined || !host.includes(MODEL)) return address.replaceAll(MODEL, name)
  if (!isHostForModels(host) || !HOST_PART.test(model)) throw problem('destination_invalid')
  return `${scheme}${host.replaceAll(MODEL, model)}${rest.replaceAll(MODEL, name)}`
}

/** Whether `{model}` in its host, if there is one, leaves the domain as it is written. */
export function isAddressForModels(address: string): boolean {
  const [, , host = ''] = AUTHORITY.exec(address) ?? []
  return isHostForModels(host)
}

function isHostForModels(host: string): boolean {
  const end = host.lastIndexOf(MODEL)
  return end === -1 || FIXED_END.test(host.slice(end + MODEL.length))
}

/** A name as one segment of a path. */
export function segment(name: string): string {
  return encodeURIComponent(name)
}
