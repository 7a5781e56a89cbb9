import { parseObject, textAt } from '@tollgate/dialects/json'
import { problem } from '@tollgate/kit/problem'
import { segment, type UrlWriter } from '../build/url.ts'
import { readServiceAccount } from '../sign/google-token.ts'

export const VERTEX_URL = 'https://aiplatform.googleapis.com'

type Outgoing = Parameters<UrlWriter>[0]
type Upstream = Parameters<UrlWriter>[1]

/**
 * `us-central1`, or `{"default":"us-central1","claude-…":"us-east5"}` by model: by the caller's name of it, or by the upstream's.
 * Source: spec providers 6.6.
 */
export function regionFor(names: readonly string[], other: string): string {
  const text = other.trim()
  if (!text.startsWith('{')) return text === '' ? 'global' : text
  const regions = parseObject(text) ?? {}
  const named = names.map((name) => textAt(regions, name)).find((region) => region !== undefined)
  return named ?? textAt(regions, 'default') ?? 'global'
}

/** A place below the project and the region of the channel; an API key stands for both. */
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

/** It is a part of a host's name, where anything else could name another host. */
const REGION = /^[a-z0-9-]{1,40}$/

/** Each region has a host of its own, where the channel names no other. An API key belongs to no region. */
export function hostIn({ baseUrl, key, region }: VertexPlace): string {
  if (baseUrl !== VERTEX_URL || isApiKey(key) || region === 'global') return baseUrl
  if (!REGION.test(region)) throw problem('destination_invalid')
  return `https://${region}-aiplatform.googleapis.com`
}

/** What stands between version and publisher. */
export function scopeIn({ key, region }: VertexPlace): string {
  return isApiKey(key) ? '' : `projects/${segment(projectOf(key))}/locations/${segment(region)}/`
}

/** One plain key instead of a service account's file. */
export function isApiKey(key: string): boolean {
  return /^[\x21-\x7a]+$/.test(key)
}

export function projectOf(key: string): string {
  const account = readServiceAccount(key)
  if (account === undefined) throw problem('channel_key_invalid', { hint: 'service account JSON' })
  return account.projectId
}

/** `claude-sonnet-4-20250514` → `claude-sonnet-4@20250514`; one model's second version has a mark of its own. */
export function claudeName(model: string): string {
  if (model === 'claude-3-5-sonnet-20241022') return 'claude-3-5-sonnet-v2@20241022'
  return model.replace(/-(\d{8})$/, '@$1')
}
