import { parseObject, textAt } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { segment, type UrlWriter } from '../define/url.ts'
import { readServiceAccount } from '../sign/google-token.ts'

export const VERTEX_URL = 'https://aiplatform.googleapis.com'

type Outgoing = Parameters<UrlWriter>[0]
type Upstream = Parameters<UrlWriter>[1]

/**
 * Returns the region of a model. The setting is a region such as `us-central1`, or an object by model, such
 * as `{"default":"us-central1","claude-…":"us-east5"}`. The client's name of the model is looked up first,
 * then the upstream's.
 */
export function regionFor(names: readonly string[], other: string): string {
  const text = other.trim()
  if (!text.startsWith('{')) return text === '' ? 'global' : text
  const regions = parseObject(text) ?? {}
  const named = names.map((name) => textAt(regions, name)).find((region) => region !== undefined)
  return named ?? textAt(regions, 'default') ?? 'global'
}

/** Writes a URL below the channel's project and region; with an API key both are left out. */
export function vertexUrl(path: (outgoing: Outgoing) => string, version = 'v1'): UrlWriter {
  return (outgoing, { baseUrl, key, other }: Upstream) => {
    const { askedModel, model } = outgoing
    const region = regionFor(askedModel === undefined ? [model] : [askedModel, model], other)
    const place = { baseUrl, key, region }
    return `${hostIn(place)}/${version}/${scopeIn(place)}${path(outgoing)}`
  }
}

export interface VertexPlace {
  readonly baseUrl: string
  readonly key: string
  readonly region: string
}

/** The region becomes part of the host name, so any other characters could select another host. */
const REGION = /^[a-z0-9-]{1,40}$/

/**
 * Returns the base URL. Each region has its own host, unless the channel sets one. An API key has no region.
 */
export function hostIn({ baseUrl, key, region }: VertexPlace): string {
  if (baseUrl !== VERTEX_URL || isApiKey(key) || region === 'global') return baseUrl
  if (!REGION.test(region)) throw problem('destination_invalid')
  return `https://${region}-aiplatform.googleapis.com`
}

/** Returns the part of the path between version and publisher. */
export function scopeIn({ key, region }: VertexPlace): string {
  return isApiKey(key) ? '' : `projects/${segment(projectOf(key))}/locations/${segment(region)}/`
}

/** Whether the key is a plain API key and not a service account file. */
export function isApiKey(key: string): boolean {
  return /^[\x21-\x7a]+$/.test(key)
}

export function projectOf(key: string): string {
  const account = readServiceAccount(key)
  if (account === undefined) throw problem('channel_key_invalid', { hint: 'service account JSON' })
  return account.projectId
}

/**
 * `claude-sonnet-4-20250514` becomes `claude-sonnet-4@20250514`; the second version of one model has a
 * special name.
 */
export function claudeName(model: string): string {
  if (model === 'claude-3-5-sonnet-20241022') return 'claude-3-5-sonnet-v2@20241022'
  return model.replace(/-(\d{8})$/, '@$1')
}
