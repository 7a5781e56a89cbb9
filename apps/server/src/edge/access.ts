import type { IncomingMessage } from 'node:http'
import type { Access, RouteDefinition } from '@tollgate/contract/route'
import { problem } from '@tollgate/problems/problem'
import type { Actor } from '../services/handler.ts'
import type { Origins } from './origin.ts'
import { sessionIdOf } from './session-cookie.ts'
import { namedUser, refuseOtherUser, requireUserHeader } from './user-header.ts'

/** Looks users up in the store at every call: role and status are never cached. */
export interface Identities {
  /** Returns `undefined` for an unknown or expired session and for a deleted user. */
  bySession(sessionId: string): Promise<Identity | undefined>
  byAccessToken(token: string): Promise<Identity | undefined>
  startSession(input: NewSession): Promise<StartedSession>
  endSession(sessionId: string): Promise<void>
}

export interface Identity {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly isEnabled: boolean
  readonly hasDefaultPassword: boolean
  readonly group: string
  readonly provenMs: number
  /** `password`, or the name of a sign-in provider. */
  readonly provenBy: string
  /** Hash of the session that identified the user. */
  readonly sessionHash?: string
}

export interface NewSession {
  readonly userId: number
  readonly address: string
  readonly userAgent: string
  /** Id of the browser's previous session, which is ended. */
  readonly replaces: string | undefined
  /**
   * `way`: the user has just signed in with this method. `proof`: the session only gets a new id, and the
   * time and method of the last sign-in are carried over.
   */
  readonly signIn: { readonly way: string } | { readonly proof: SignInProof }
}

export type SignInProof = Pick<Identity, 'provenMs' | 'provenBy'>

export interface StartedSession {
  readonly id: string
  readonly lifetimeMs: number
}

export interface AccessCheck {
  /** Throws a `Problem` unless the caller may call this route. Returns `undefined` only on public routes. */
  admit(route: AccessRule, request: IncomingMessage): Promise<Actor | undefined>
  /** Identifies the signed-in user of a console request that is not an admin API call. */
  identifySession(request: IncomingMessage): Promise<{ userId: number }>
}

export type AccessRule = Pick<
  RouteDefinition,
  'method' | 'access' | 'owner' | 'changesState' | 'isOpenToDefaultPassword' | 'byApiToken'
>

const ROLE_OF: Record<Access, number> = { public: 0, user: 1, admin: 10, root: 100 }
const ROLES: ReadonlySet<number> = new Set([1, 10, 100])

export function accessCheck(parts: { identities: Identities; origins: Origins }): AccessCheck {
  const { identities, origins } = parts

  async function admit(rule: AccessRule, request: IncomingMessage): Promise<Actor | undefined> {
    if (rule.byApiToken) return admitKeyHolder(identities, request)
    if (rule.access === 'public') return admitPublic(rule, request)
    const actor = await identify(identities, request, rule)
    requireNamed(actor, request)
    requireRole(actor, rule.access)
    if (rule.changesState && actor.via === 'session') origins.requireSameOrigin(request)
    return actor
  }

  /**
   * A caller who is not signed in is admitted, and an expired cookie counts as none. On a route that changes
   * state, a session counts only if the request's user header names its user.
   */
  async function admitPublic(rule: AccessRule, request: IncomingMessage): Promise<Actor | undefined> {
    if (!rule.changesState) return identifyOrNobody(identities, request)
    // Any page can make a browser send a GET and hide its origin.
    if (rule.method === 'GET') origins.requireSameOrigin(request)
    else origins.refuseCrossSite(request)
    const actor = await identifyOrNobody(identities, request)
    if (!actor) return undefined
    if (rule.owner === 'self') requireUserHeader(request.headers, actor.id)
    return namedUser(request.headers) === actor.id ? actor : undefined
  }

  async function identifySession(request: IncomingMessage): Promise<{ userId: number }> {
    const actor = await identify(identities, request)
    if (actor.via !== 'session') throw problem('session_required')
    requireUserHeader(request.headers, actor.id)
    requireRole(actor, 'user')
    origins.requireSameOrigin(request)
    return { userId: actor.id }
  }

  return { admit, identifySession }
}

/**
 * A session must name its user in a header. An access token need not: browsers never send it by themselves,
 * so it is no target for cross-site requests.
 */
function requireNamed(actor: Actor, { headers }: IncomingMessage): void {
  if (actor.via === 'session') requireUserHeader(headers, actor.id)
  else refuseOtherUser(headers, actor.id)
}

/**
 * Uses the access token if one is sent, even an invalid one. The session cookie counts only in a request
 * without an access token.
 */
async function identify(
  identities: Identities,
  request: IncomingMessage,
  rule: Pick<AccessRule, 'isOpenToDefaultPassword'> = {},
): Promise<Actor> {
  const token = accessTokenOf(request)
  if (token === undefined) {
    const known = await sessionOwner(identities, request)
    if (!known) throw problem('not_signed_in')
    return admitted(known, 'session', rule)
  }
  const owner = await identities.byAccessToken(token)
  if (!owner) throw problem('access_token_invalid')
  return admitted(owner, 'access-token', rule)
}

async function identifyOrNobody(
  identities: Identities,
  request: IncomingMessage,
): Promise<Actor | undefined> {
  if (accessTokenOf(request) !== undefined) return undefined
  const known = await sessionOwner(identities, request)
  return known?.isEnabled ? actorOf(known, 'session') : undefined
}

/**
 * Returns the signed-in user or `undefined`; the handler checks the API key that the request carries. A
 * session counts only together with a user header.
 */
async function admitKeyHolder(identities: Identities, request: IncomingMessage): Promise<Actor | undefined> {
  const { headers } = request
  const token = accessTokenOf(request)
  if (token === undefined && namedUser(headers) === undefined) return undefined
  const known =
    token === undefined ? await sessionOwner(identities, request) : await identities.byAccessToken(token)
  if (!known?.isEnabled || known.hasDefaultPassword) return undefined
  refuseOtherUser(headers, known.id)
  return actorOf(known, token === undefined ? 'session' : 'access-token')
}

async function sessionOwner(identities: Identities, request: IncomingMessage): Promise<Identity | undefined> {
  const sessionId = sessionIdOf(request)
  return sessionId === undefined ? undefined : identities.bySession(sessionId)
}

function admitted(
  identity: Identity,
  via: Actor['via'],
  { isOpenToDefaultPassword = false }: Pick<AccessRule, 'isOpenToDefaultPassword'>,
): Actor {
  if (!identity.isEnabled) throw problem('user_disabled')
  if (identity.hasDefaultPassword && !isOpenToDefaultPassword) throw problem('default_password')
  return actorOf(identity, via)
}

function actorOf(identity: Identity, via: Actor['via']): Actor {
  const { isEnabled: _enabled, hasDefaultPassword: _known, ...who } = identity
  return via === 'session' ? { ...who, via } : { ...who, via, provenMs: 0, provenBy: '' }
}

/**
 * Returns `undefined` when the request has no access token. `Basic` credentials belong to a
 * password-protected proxy in front of the gateway: browsers repeat them on every request, so they are
 * ignored.
 */
function accessTokenOf({ headers: { authorization = '' } }: IncomingMessage): string | undefined {
  if (/^Basic\s/i.test(authorization)) return undefined
  const token = authorization.replace(/^Bearer(?:\s+|$)/i, '').trim()
  return token === '' ? undefined : token
}

function requireRole(actor: Actor, access: Access): void {
  if (!ROLES.has(actor.role) || actor.role < ROLE_OF[access]) throw problem('role_too_low')
}
