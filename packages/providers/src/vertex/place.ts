import { parseObject, textAt } from '@tollgate/dialects/json'
import { problem } from '@tollgate/kit/problem'
import { segment, type UrlWriter } from '../build/url.ts'
import { readServiceAccount } from '../sign/google-token.ts'

export const VERTEX_URL = 'https://aiplatform.googleapis.com'

type Outgoing = Parameters<UrlWriter>[0]
type Upstream = Parameters<UrlWriter>[1]

/** `us-central1`, or `{"default":"us-central1","claude-…":"us-east5"}` by model. */
export function regionFor(model: string, other: string): string {
  const text = other.trim()
  if (!text.startsWith('{')) return text === '' ? 'global' : text
  const regions = parseObject(text) ?? {}
  return textAt(regions, model) ?? textAt(regions, 'default') ?? 'global'
}

/** A place below the project and the region of the channel; an API key stands for both. */
export function vertexUrl(path: (outgoing: Outgoing) => string, version = 'v1'): UrlWriter {
  return (outgoing, { baseUrl, key, other }: Upstream) => {
    if (isApiKey(key)) return `${baseUrl}/${version}/${path(outgoing)}`
    const region = regionFor(outgoing.model, other)
    const host = region === 'global' ? VERTEX_URL : `https://${region}-aiplatform.googleapis.com`
    const base = baseUrl === VERTEX_URL ? host : baseUrl
    return `${base}/${version}/projects/${segment(projectOf(key))}/locations/${segment(region)}/${path(outgoing)}`
  }
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
