import type { IncomingHttpHeaders } from 'node:http'
import { isNotOfferedPath } from '../../not-offered.ts'
import { queryOf } from '../../query-of.ts'

/** The credential a caller sent: a key, and the channel they chose if they wrote `sk-KEY-CHANNELID`. */
export interface PresentedKey {
  readonly key: string
  /** Everything that was sent, which keys of another system are made of. */
  readonly whole: string
  readonly channel?: string
}

/** Keys issued here have 48 characters; a far longer text is not worth hashing. */
const KEY_LENGTH_MAX = 256

/**
 * Reads the key from a request's headers; `undefined` when there is none. It is taken from `Authorization`,
 * with or without `Bearer`, else from `mj-api-secret`. Some paths have another source that is tried first:
 * the websocket sub-protocol for realtime, Google's header or query parameter for Gemini, and `x-api-key` for
 * the Anthropic API and the list of models.
 */
export function presentedKey(headers: IncomingHttpHeaders, path: string, url = ''): PresentedKey | undefined {
  const credential =
    protocolKey(headers, path) ??
    googleKey(headers, path, url) ??
    apiKeyHeader(headers, path) ??
    authorization(headers) ??
    single(headers['mj-api-secret']) ??
    readVendorKey(headers, path, url)
  if (credential === undefined) return undefined
  const bare = withoutBearer(credential)
  const text = bare.startsWith('sk-') ? bare.slice(3) : bare
  const dash = text.indexOf('-')
  const key = dash === -1 ? text : text.slice(0, dash)
  if (text === '' || bare.length > KEY_LENGTH_MAX) return undefined
  if (dash === -1) return { key, whole: bare }
  const [channel = ''] = text.slice(dash + 1).split('-', 1)
  return { key, whole: bare, channel }
}

/**
 * Browsers cannot set headers on a WebSocket and send the key as a sub-protocol. It is ignored on all other
 * paths.
 */
function protocolKey(headers: IncomingHttpHeaders, path: string): string | undefined {
  if (path !== '/v1/realtime') return undefined
  const offered = headers['sec-websocket-protocol']?.split(',').map((each) => each.trim()) ?? []
  return offered.find((each) => each.startsWith(KEY_PROTOCOL))?.slice(KEY_PROTOCOL.length)
}

export const KEY_PROTOCOL = 'openai-insecure-api-key.'

function apiKeyHeader(headers: IncomingHttpHeaders, path: string): string | undefined {
  const isOtherFamily =
    path.includes('/v1/messages') || path === '/v1/models' || path.startsWith('/v1/models/')
  return isOtherFamily ? single(headers['x-api-key']) : undefined
}

/** Google's clients send the key in a header or in the query. */
function googleKey(headers: IncomingHttpHeaders, path: string, url: string): string | undefined {
  if (!/^\/v1(?:beta)?\/models(?:\/|$)/.test(path)) return undefined
  return single(headers['x-goog-api-key']) ?? single(queryOf(url).get('key') ?? undefined)
}

/** What is not offered belongs to the API of any vendor. */
function readVendorKey(headers: IncomingHttpHeaders, path: string, url: string): string | undefined {
  if (!isNotOfferedPath(path)) return undefined
  return (
    single(headers['x-api-key']) ??
    single(headers['x-goog-api-key']) ??
    single(queryOf(url).get('key') ?? undefined)
  )
}

function authorization({ authorization: text }: IncomingHttpHeaders): string | undefined {
  return text === undefined || text === '' || withoutBearer(text) === 'midjourney-proxy' ? undefined : text
}

function withoutBearer(text: string): string {
  if (text.startsWith('Bearer ')) return text.slice('Bearer '.length).trim()
  const trimmed = text.trim()
  return /^bearer(?:\s|$)/i.test(trimmed) ? trimmed.slice('bearer'.length).trim() : trimmed
}

function single(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value
  return text === undefined || text === '' ? undefined : text
}
