import { withoutTrailing } from '@tollgate/kit/without-trailing'
import { problem } from '@tollgate/problems/problem'
import type { Endpoint } from '../provider.ts'

/** Writes the URL of one attempt. */
export type UrlWriter = Endpoint['url']

/** The base URL of Cloudflare's AI gateway already stands for the vendor's version prefix. */
const AI_GATEWAY = 'https://gateway.ai.cloudflare.com'

/** Joins base and path without doubling a slash or a version (`…/v1` + `/v1/…`). */
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

/** Like {@link at}, but without `prefix` behind Cloudflare's AI gateway. */
export function behindGateway(path: string, prefix: string): UrlWriter {
  return (_outgoing, { baseUrl }) =>
    joinUrl(baseUrl, baseUrl.startsWith(AI_GATEWAY) ? path.slice(prefix.length) : path)
}

const MODEL = '{model}'
const AUTHORITY = /^(https?:\/\/)([^/?#\\]*)(.*)$/s
/**
 * Clients choose the model. If the host contains `{model}`, the end of the host must therefore be fixed, so
 * that a client cannot choose the domain.
 */
const FIXED_END = /[^{}]*(?:\.[a-z0-9-]+){2}(?::\d+)?$/i
const HOST_PART = /^[a-z0-9.-]+$/i

/**
 * Replaces `{model}` in an address or path with the model. Throws `destination_invalid` when the model would
 * decide the domain of the host.
 */
export function withModel(address: string, model: string): string {
  const [whole, scheme = '', host = '', rest = ''] = AUTHORITY.exec(address) ?? []
  const name = segment(model)
  if (whole === undefined || !host.includes(MODEL)) return address.replaceAll(MODEL, name)
  if (!isHostForModels(host) || !HOST_PART.test(model)) throw problem('destination_invalid')
  return `${scheme}${host.replaceAll(MODEL, model)}${rest.replaceAll(MODEL, name)}`
}

/** Whether the domain stays fixed if the host contains `{model}`; true as well for a host without it. */
export function isAddressForModels(address: string): boolean {
  const [, , host = ''] = AUTHORITY.exec(address) ?? []
  return isHostForModels(host)
}

function isHostForModels(host: string): boolean {
  const end = host.lastIndexOf(MODEL)
  return end === -1 || FIXED_END.test(host.slice(end + MODEL.length))
}

/** Encodes a name as one path segment. */
export function segment(name: string): string {
  return encodeURIComponent(name)
}
