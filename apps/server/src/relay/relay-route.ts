import { decodedUri } from '@tollgate/kit/decoded-uri'
import type { AskDefaults } from '@tollgate/dialects/ask'
import type { FiguresKind } from './billing-figures.ts'
import { directOperations } from './operations/all.ts'
import { generate, messages, responses } from './operations/index.ts'
import type { Operation } from './operations/operation.ts'
import { modelAction } from './operations/path-parts.ts'
import { queryOf } from './query-of.ts'
import { isNotOffered, isNotOfferedPath } from './not-offered.ts'
import { isTaskPath, type TaskRelayRoute, taskRelayRoute } from './tasks/task-route.ts'

/** What a request path leads to: the operation, and how the caller authenticates. */
export type RelayRoute =
  | CallRoute
  | TaskRelayRoute
  | { readonly type: 'models'; readonly query: URLSearchParams }
  | { readonly type: 'count-tokens'; readonly operation: Operation; readonly model?: string }
  | { readonly type: 'model'; readonly model: string }
  | { readonly type: 'figures'; readonly kind: FiguresKind }
  | { readonly type: 'own-account'; readonly read: OwnAccountRead; readonly query: URLSearchParams }
  /** A path that accepts POST and WebSocket handshakes. */
  | { readonly type: 'post-or-socket'; readonly path: string }
  | { readonly type: 'not-implemented' }
  | { readonly type: 'preflight' }
  | { readonly type: 'unknown' }

export type OwnAccountRead = 'generation' | 'key' | 'credits'

/** An API call that is forwarded to an upstream. */
export interface CallRoute {
  readonly type: 'call'
  readonly operation: Operation
  /** How the caller authenticates: by API token, or by the console session of the playground. */
  readonly identity: 'token' | 'session'
  readonly path: string
  /**
   * The model if the body names none: taken from the path, as in `/v1/engines/ada/embeddings`, or a default.
   */
  readonly defaults: AskDefaults
}

const matched = directOperations.filter(({ match }) => match !== undefined)
const calls: Readonly<Record<string, CallRoute>> = Object.fromEntries(directOperations.flatMap(routesOf))

function routesOf(operation: Operation): readonly (readonly [string, CallRoute])[] {
  return operation.paths.map(({ path, canonical = path, identity = 'token', defaults = {} }) => [
    path,
    { type: 'call', operation, identity, path: canonical, defaults },
  ])
}

/** Most requests have exactly one of these addresses; they need no patterns. */
const directCalls: ReadonlyMap<string, CallRoute> = new Map(
  Object.entries(calls).filter(([path]) => !isTaskPath(path)),
)

/** For tests that go through every fixed path; other paths are matched by patterns. */
export const callPaths: readonly (CallRoute & { readonly path: string })[] = Object.entries(calls).map(
  ([path, relayRoute]) => ({ ...relayRoute, path }),
)

const RESPONSES = '/v1/responses'
/** The route of every call of a WebSocket connection. */
export const responsesRoute: CallRoute = {
  type: 'call',
  operation: responses,
  identity: 'token',
  path: RESPONSES,
  defaults: {},
}
/** What callers read about their own calls and balance, by path. */
const ownAccountPaths: Readonly<Record<string, OwnAccountRead>> = {
  '/v1/generation': 'generation',
  '/v1/key': 'key',
  '/v1/auth/key': 'key',
  '/v1/credits': 'credits',
}
const figuresPath = /^(?:\/v1)?\/dashboard\/billing\/(subscription|usage)$/
const modelPath = /^\/v1(?:beta)?\/models\/(.+)$/
/** The entrance for a websocket upgrade; `undefined` when the path accepts none. */
export function sessionRouteOf(url: string): CallRoute | undefined {
  const path = normalisePath(url)
  const operation = directOperations.find(({ sessionPath }) => sessionPath === path)
  if (operation === undefined) return undefined
  const model = queryOf(url).get('model') ?? ''
  const defaults = model === '' ? {} : { pathModel: model }
  return { type: 'call', operation, identity: 'token', path, defaults }
}

/** Whether a path belongs to the relay, even if it is not a known one. */
export function isRelayPath(path: string): boolean {
  if (path.startsWith('/v1/')) return true
  if (isTaskPath(path)) return true
  if (/^\/+(?:hf\/+)?v1(?:beta)?(?:[/?]|$)/.test(path) || /^\/+(?:pg|dashboard\/+billing)\//.test(path))
    return true
  const bare = normalisePath(path)
  return bare === '/v2/rerank' || isNotOfferedPath(bare)
}

/**
 * The only place where paths are interpreted. `/hf/v1/…` and `/v1beta/openai/…` mean `/v1/…`; doubled and
 * trailing slashes and the query are ignored.
 */
export function relayRouteOf(method: string, url: string): RelayRoute {
  const direct = method === 'POST' ? directCalls.get(url) : undefined
  if (direct !== undefined) return direct
  const path = normalisePath(url)
  if (method === 'OPTIONS') return { type: 'preflight' }
  if (isTaskPath(path)) return taskRelayRoute({ method, path, query: queryOf(url) }) ?? { type: 'unknown' }
  if (method === 'POST') {
    const call = Object.hasOwn(calls, path) ? calls[path] : (matchedRoute(path) ?? countRoute(path))
    if (call !== undefined) return call
  }
  if (method === 'GET' && (path === '/v1/models' || path === '/v1beta/models'))
    return { type: 'models', query: queryOf(url) }
  if (method === 'GET' && path === RESPONSES) return { type: 'post-or-socket', path }
  const figures = method === 'GET' ? figuresPath.exec(path)?.[1] : undefined
  if (figures === 'subscription' || figures === 'usage') return { type: 'figures', kind: figures }
  const read = method === 'GET' && Object.hasOwn(ownAccountPaths, path) ? ownAccountPaths[path] : undefined
  if (read !== undefined) return { type: 'own-account', read, query: queryOf(url) }
  const model = method === 'GET' ? modelPath.exec(path)?.[1] : undefined
  if (model !== undefined) return { type: 'model', model: decodedUri(model) }
  return { type: isNotOffered(method, path) ? 'not-implemented' : 'unknown' }
}

export function normalisePath(url: string): string {
  if (Object.hasOwn(calls, url)) return url
  const end = url.indexOf('?')
  const path = (end === -1 ? url : url.slice(0, end)).replace(/\/{2,}/g, '/')
  const bare = path.replace(/^\/hf(?=\/v1)/, '').replace(/^\/v1beta\/openai(?=\/)/, '/v1')
  return bare.length > 1 && bare.endsWith('/') ? bare.slice(0, -1) : bare
}

function matchedRoute(path: string): CallRoute | undefined {
  for (const operation of matched) {
    const found = operation.match?.(path)
    if (found === undefined) continue
    const { defaults, canonical = path } = found
    return { type: 'call', operation, identity: 'token', path: canonical, defaults }
  }
  return undefined
}

/** `POST /v1/messages/count_tokens`, and Gemini's `:countTokens`. */
function countRoute(path: string): Extract<RelayRoute, { type: 'count-tokens' }> | undefined {
  if (path === '/v1/messages/count_tokens') return { type: 'count-tokens', operation: messages }
  const { model, action } = modelAction(path) ?? {}
  if (action !== 'countTokens') return undefined
  return { type: 'count-tokens', operation: generate, model }
}
