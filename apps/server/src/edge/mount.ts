import type { RouteDefinition } from '@tollgate/contract/route'
import type { Clock } from '@tollgate/kit/clock'
import { invariant } from '@tollgate/kit/invariant'
import type { Language } from '@tollgate/problems/problem'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AccessCheck, Identities, NewSession } from './access.ts'
import { languageOfRequest, sendFile, sendSuccess } from './answer.ts'
import { browserOf } from './browser-cookie.ts'
import type { ClientAddress } from './client-address.ts'
import { presentedKey } from '../relay/stations/admit/key.ts'
import { openGuard } from '../services/guard.ts'
import { Answer, FileAnswer } from '../services/handler.ts'
import type { Actor, BoundRoute, SessionControl } from '../services/handler.ts'
import { parseInput } from './input.ts'
import { isLocalRequest } from './local-request.ts'
import { countActor, countAddress } from './limits.ts'
import type { EdgeLimits } from './limits.ts'
import type { Origins } from './origin.ts'
import { routeName } from './registry.ts'
import { userHeaderKind } from './user-header.ts'
import type { IdempotencyStore } from './idempotency.ts'
import { endedCookie, sessionCookie, sessionIdOf } from './session-cookie.ts'

export interface MountParts {
  readonly clock: Clock
  readonly access: AccessCheck
  readonly identities: Identities
  readonly origins: Origins
  readonly limits: EdgeLimits
  readonly clientAddress: ClientAddress
  readonly idempotency: IdempotencyStore
  /** Resolves when every call that ended before is in the database. */
  readonly caughtUp: () => Promise<void>
}

/** Registers every bound route with Fastify. The order of checks is that of `answer` below. */
export function mountRoutes(app: FastifyInstance, bound: readonly BoundRoute[], parts: MountParts): void {
  for (const one of bound) {
    app.route({
      method: one.route.method,
      url: one.route.path,
      bodyLimit: one.route.bodyBytesMax,
      config: {
        envelope: one.route.envelope,
        acceptsForm: one.route.acceptsForm === true,
        badBodyStatus: one.route.badBodyStatus,
      },
      onRequest: async (request, reply) => {
        if (one.route.byApiToken) void reply.headers(EVERY_ORIGIN)
        await countAddress(parts.limits, one.route.rate, parts.clientAddress(request.raw))
      },
      handler: (request, reply) => answer(one, { request, reply, parts }),
    })
    if (one.route.byApiToken) answerPreflight(app, one.route, parts)
  }
}

const EVERY_ORIGIN = { 'access-control-allow-origin': '*' }

/**
 * Answers the CORS preflight that a browser sends before a page of another origin may send an `Authorization`
 * header.
 */
function answerPreflight(app: FastifyInstance, { method, path }: RouteDefinition, parts: MountParts): void {
  app.options(path, {
    onRequest: (request) => countAddress(parts.limits, 'api', parts.clientAddress(request.raw)),
    handler: (_request, reply) =>
      reply
        .code(204)
        .headers({
          ...EVERY_ORIGIN,
          'access-control-allow-methods': `${method}, OPTIONS`,
          // The wildcard `*` does not cover `authorization`, so it is listed.
          'access-control-allow-headers': 'authorization, *',
          'access-control-max-age': '86400',
        })
        .send(),
  })
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly parts: MountParts
}

async function answer({ route, handle }: BoundRoute, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply, parts } = exchange
  const actor = await parts.access.admit(route, request.raw)
  await countActor(parts.limits, route.rate, actor)
  const language = languageOfRequest(request)
  const body = parseInput(route.body, bodyOf(request), language)
  await parts.caughtUp()
  const work = () => handled({ route, handle }, exchange, { actor, language, body })
  const result = route.isRepeatable ? await repeated({ route, exchange, actor, body }, work) : await work()
  if (result instanceof FileAnswer) {
    invariant(route.files?.includes(result.type) === true, `${routeName(route)} names ${result.type}`)
    return sendFile(reply, result)
  }
  return sendSuccess(reply, {
    envelope: route.envelope,
    message: result.message,
    data: checked(routeName(route), route.data, result.data),
    extra: route.extra ? checkedObject(routeName(route), route.extra, result.extra) : {},
  })
}

interface Repeatable {
  readonly route: RouteDefinition
  readonly exchange: Exchange
  readonly actor: Actor | undefined
  readonly body: unknown
}

type Handled = Answer<unknown> | FileAnswer

function repeated(
  { route, exchange: { request, parts }, actor, body }: Repeatable,
  work: () => Promise<Handled>,
): Promise<Answer<unknown>> {
  const name = routeName(route)
  invariant(
    actor !== undefined && route.files === undefined,
    `${name} is repeated by somebody, without a file`,
  )
  const key = request.headers['idempotency-key']
  const operation = { actorId: actor.id, route: name, key: typeof key === 'string' ? key : undefined, body }
  return parts.idempotency.once(operation, async () => {
    const result = await work()
    invariant(result instanceof Answer, `${name} answers no file`)
    return result
  })
}

interface Admitted {
  readonly actor: Actor | undefined
  readonly language: Language
  /** The parsed body. */
  readonly body: unknown
}

async function handled(
  { route, handle }: BoundRoute,
  exchange: Exchange,
  { actor, language, body }: Admitted,
): Promise<Handled> {
  const { request, reply, parts } = exchange
  const guard = openGuard(route, { actor, nowMs: parts.clock.nowMs() })
  const result = await handle({
    params: parseInput(route.params, request.params, language),
    query: parseInput(route.query, request.query, language),
    body,
    actor,
    address: parts.clientAddress(request.raw),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    userHeader: userHeaderKind(request.raw.headers),
    presentedKey: route.byApiToken ? presentedKey(request.raw.headers, route.path) : undefined,
    hostName: parts.origins.hostName(request.raw),
    isLocal: isLocalRequest(request.raw),
    language,
    requestId: request.id,
    guard,
    session: sessionControl(exchange, actor),
    browser: browserOf(request.raw, {
      isSecure: () => parts.origins.isSecure(request.raw),
      setCookie: (cookie) => void reply.header('set-cookie', cookie),
    }),
  })
  guard.checkAsked()
  return result instanceof Answer || result instanceof FileAnswer ? result : new Answer({ data: result })
}

function bodyOf({ method, body }: FastifyRequest): unknown {
  return method === 'GET' ? {} : (body ?? {})
}

type OutputSchema = BoundRoute['route']['data']

/**
 * Strips members that the contract does not declare. A response that does not match the contract is a bug.
 */
function checked(name: string, schema: OutputSchema, value: unknown): unknown {
  const { data, error } = schema.safeParse(value)
  const where = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
  invariant(!error, `the answer of ${name} fits its contract (${where.join('; ')})`)
  return data
}

function checkedObject(name: string, schema: OutputSchema, value: unknown): object {
  const object = checked(name, schema, value)
  invariant(typeof object === 'object' && object !== null, `the extra keys of ${name} are an object`)
  return object
}

function sessionControl({ request, reply, parts }: Exchange, actor: Actor | undefined): SessionControl {
  const current = sessionIdOf(request.raw)
  const begin = async (userId: number, signIn: NewSession['signIn']): Promise<void> => {
    const session = await parts.identities.startSession({
      userId,
      address: parts.clientAddress(request.raw),
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
      replaces: current,
      signIn,
    })
    const maxAgeSeconds = Math.floor(session.lifetimeMs / 1000)
    const isSecure = parts.origins.isSecure(request.raw)
    void reply.header('set-cookie', sessionCookie(session.id, { maxAgeSeconds, isSecure }))
  }
  return {
    start: (userId, way = '') => begin(userId, { way }),
    renew: (userId) =>
      begin(userId, { proof: { provenMs: actor?.provenMs ?? 0, provenBy: actor?.provenBy ?? '' } }),
    end: async () => {
      if (current && actor?.via === 'session') await parts.identities.endSession(current)
      void reply.header('set-cookie', endedCookie())
    },
  }
}
