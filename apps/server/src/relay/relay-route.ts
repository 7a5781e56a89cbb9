import type { AskDefaults } from '@tollgate/dialects/ask'
import type { CallOperation } from '@tollgate/dialects/conversations'
import type { FiguresKind } from './billing-figures.ts'
import { isTaskPath, type TaskRelayRoute, taskRelayRoute } from './tasks/task-route.ts'

/** What a request path leads to: the operation, and how the caller authenticates. */
export type RelayRoute =
  | CallRoute
  | TaskRelayRoute
  | { readonly type: 'models'; readonly query: URLSearchParams }
  | { readonly type: 'count-tokens'; readonly operation: 'messages' | 'generate'; readonly model?: string }
  | { readonly type: 'model'; readonly model: string }
  | { readonly type: 'figures'; readonly kind: FiguresKind }
  /** A path that supports WebSocket elsewhere and only POST here. */
  | { readonly type: 'post-only'; readonly path: string }
  | { readonly type: 'not-implemented' }
  | { readonly type: 'preflight' }
  | { readonly type: 'unknown' }

/** An API call that is forwarded to an upstream. */
export interface CallRoute {
  readonly type: 'call'
  readonly operation: CallOperation
  /** How the caller authenticates: by API token, or by the console session of the playground. */
  readonly identity: 'token' | 'session'
  readonly path: string
  /**
   * The model if the body names none: taken from the path, as in `/v1/engines/ada/embeddings`, or a default.
   */
  readonly defaults: AskDefaults
}

const calls: Readonly<Record<string, CallRoute>> = {
  '/v1/chat/completions': token('chat', '/v1/chat/completions'),
  '/v1/completions': token('completions', '/v1/completions'),
  '/v1/embeddings': token('embeddings', '/v1/embeddings'),
  '/v1/messages': token('messages', '/v1/messages'),
  '/v1/responses': token('responses', '/v1/responses'),
  '/v1/responses/compact': token('compact', '/v1/responses/compact'),
  '/v1/alpha/search': token('search', '/v1/alpha/search'),
  '/v1/rerank': token('rerank', '/v1/rerank'),
  '/v1/images/generations': token('images', '/v1/images/generations', { defaultModel: 'dall-e' }),
  '/v1/images/edits': token('image-edits', '/v1/images/edits', { defaultModel: 'dall-e-2' }),
  '/v1/edits': token('image-edits', '/v1/images/edits', { defaultModel: 'dall-e-2' }),
  '/v1/images/variations': token('image-variations', '/v1/images/variations', { defaultModel: 'dall-e-2' }),
  '/v1/audio/speech': token('speech', '/v1/audio/speech', { defaultModel: 'tts-1' }),
  '/v1/audio/transcriptions': token('transcriptions', '/v1/audio/transcriptions', {
    defaultModel: 'whisper-1',
  }),
  '/v1/audio/translations': token('translations', '/v1/audio/translations', { defaultModel: 'whisper-1' }),
  '/v1/moderations': token('moderations', '/v1/moderations', { defaultModel: 'text-moderation-stable' }),
  '/pg/chat/completions': { ...token('chat', '/pg/chat/completions'), identity: 'session' },
}

/** For tests that go through every fixed path; other paths are matched by patterns. */
export const callPaths: readonly (CallRoute & { readonly path: string })[] = Object.entries(calls).map(
  ([path, relayRoute]) => ({ ...relayRoute, path }),
)

/** Paths of the OpenAI API that clients may call, answered with 501 for a caller with a valid token. */
const notImplemented = [
  /^(?:GET|POST) \/v1\/realtime$/,
  /^(?:GET|POST) \/v1\/files$/,
  /^(?:GET|DELETE) \/v1\/files\/[^/]+$/,
  /^GET \/v1\/files\/[^/]+\/content$/,
  /^(?:GET|POST) \/v1\/(?:fine-tunes|fine_tuning\/jobs)$/,
  /^GET \/v1\/(?:fine-tunes|fine_tuning\/jobs)\/[^/]+(?:\/events)?$/,
  /^POST \/v1\/(?:fine-tunes|fine_tuning\/jobs)\/[^/]+\/cancel$/,
  /^DELETE \/v1\/models\/.+$/,
]

const RESPONSES = '/v1/responses'
const engine = /^\/v1\/engines\/(.+)\/embeddings$/
const figuresPath = /^(?:\/v1)?\/dashboard\/billing\/(subscription|usage)$/
const modelPath = /^\/v1(?:beta)?\/models\/(.+)$/
/** https://ai.google.dev/api/generate-content */
const generate = /^\/v1(?:beta)?\/models\/(.+):([A-Za-z]+)$/

/** The entrance for a websocket upgrade; `undefined` when the path accepts none. */
export function sessionRouteOf(url: string): CallRoute | undefined {
  if (normalisePath(url) !== '/v1/realtime') return undefined
  const model = queryOf(url).get('model')
  return token('realtime', '/v1/realtime', model === null || model === '' ? {} : { pathModel: model })
}

/** Whether a path belongs to the relay, even if it is not a known one. */
export function isRelayPath(path: string): boolean {
  if (path.startsWith('/v1/')) return true
  if (isTaskPath(path)) return true
  return /^\/+(?:hf\/+)?v1(?:beta)?(?:[/?]|$)/.test(path) || /^\/+(?:pg|dashboard\/+billing)\//.test(path)
}

/**
 * The only place where paths are interpreted. `/hf/v1/…` and `/v1beta/openai/…` mean `/v1/…`; doubled and
 * trailing slashes and the query are ignored.
 */
export function relayRouteOf(method: string, url: string): RelayRoute {
  const path = normalisePath(url)
  if (method === 'OPTIONS') return { type: 'preflight' }
  if (isTaskPath(path)) return taskRelayRoute({ method, path, query: queryOf(url) }) ?? { type: 'unknown' }
  if (method === 'POST') {
    const call = Object.hasOwn(calls, path) ? calls[path] : (engineEntrance(path) ?? generateEntrance(path))
    if (call !== undefined) return call
  }
  if (method === 'POST' && path === '/v1/messages/count_tokens')
    return { type: 'count-tokens', operation: 'messages' }
  if (method === 'GET' && (path === '/v1/models' || path === '/v1beta/models'))
    return { type: 'models', query: queryOf(url) }
  if (method === 'GET' && path === RESPONSES) return { type: 'post-only', path }
  const figures = method === 'GET' ? figuresPath.exec(path)?.[1] : undefined
  if (figures === 'subscription' || figures === 'usage') return { type: 'figures', kind: figures }
  const model = method === 'GET' ? modelPath.exec(path)?.[1] : undefined
  if (model !== undefined) return { type: 'model', model: decoded(model) }
  const line = `${method} ${path}`
  return { type: notImplemented.some((pattern) => pattern.test(line)) ? 'not-implemented' : 'unknown' }
}

export function normalisePath(url: string): string {
  if (Object.hasOwn(calls, url)) return url
  const end = url.indexOf('?')
  const path = (end === -1 ? url : url.slice(0, end)).replace(/\/{2,}/g, '/')
  const bare = path.replace(/^\/hf(?=\/v1)/, '').replace(/^\/v1beta\/openai(?=\/)/, '/v1')
  return bare.length > 1 && bare.endsWith('/') ? bare.slice(0, -1) : bare
}

function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start === -1 ? '' : url.slice(start))
}

function engineEntrance(path: string): CallRoute | undefined {
  const model = engine.exec(path)?.[1]
  if (model === undefined) return undefined
  return token('embeddings', '/v1/embeddings', { pathModel: decoded(model) })
}

function generateEntrance(
  path: string,
): CallRoute | Extract<RelayRoute, { type: 'count-tokens' }> | undefined {
  const [, name, action] = generate.exec(path) ?? []
  if (name === undefined) return undefined
  const model = decoded(name)
  if (action === 'countTokens') return { type: 'count-tokens', operation: 'generate', model }
  if (action === 'embedContent' || action === 'batchEmbedContents')
    return token('embed', path, { pathModel: model })
  if (action !== 'generateContent' && action !== 'streamGenerateContent') return undefined
  return token('generate', path, { pathModel: model, isStream: action === 'streamGenerateContent' })
}

function token(operation: CallOperation, path: string, defaults: AskDefaults = {}): CallRoute {
  return { type: 'call', operation, identity: 'token', path, defaults }
}

/** An invalid escape sequence is left unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
