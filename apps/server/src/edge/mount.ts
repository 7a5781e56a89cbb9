import type { Clock } from '@tollgate/kit/clock'
import { invariant } from '@tollgate/kit/invariant'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AccessCheck, Identities, NewSession } from './access.ts'
import { languageOfRequest, sendFile, sendSuccess } from './answer.ts'
import { browserOf } from './browser-cookie.ts'
import type { ClientAddress } from './client-address.ts'
import { openGuard } from '../services/guard.ts'
import { Answer, FileAnswer } from '../services/handler.ts'
import type { Actor, BoundRoute, SessionControl } from '../services/handler.ts'
import { parseInput } from './input.ts'
import { isLocalRequest } from './local-request.ts'
import { countActor, countAddress } from './limits.ts'
import type { EdgeLimits } from './limits.ts'
import type { Origins } from './origin.ts'
import { routeName } from './registry.ts'
import { endedCookie, sessionCookie, sessionIdOf } from './session-cookie.ts'

export interface MountParts {
  readonly clock: Clock
  readonly access: AccessCheck
  readonly identities: Identities
  readonly origins: Origins
  readonly limits: EdgeLimits
  readonly clientAddress: ClientAddress
}

/** Makes the web framework answer every bound route. The order of checks is the one of `answer` below. */
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
      onRequest: (request) => countAddress(parts.limits, one.route.rate, parts.clientAddress(request.raw)),
      handler: (request, reply) => answer(one, { request, reply, parts }),
    })
  }
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
  const guard = openGuard(route, { actor, nowMs: parts.clock.nowMs() })
  const language = languageOfRequest(request)
  const result = await handle({
    params: parseInput(route.params, request.params, language),
    query: parseInput(route.query, request.query, language),
    body: parseInput(route.body, bodyOf(request), language),
    actor,
    address: parts.clientAddress(request.raw),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
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
  if (result instanceof FileAnswer) {
    invariant(route.files?.includes(result.type) === true, `${routeName(route)} names ${result.type}`)
    return sendFile(reply, result)
  }
  const whole = result instanceof Answer ? result : new Answer({ data: result })
  return sendSuccess(reply, {
    envelope: route.envelope,
    message: whole.message,
    data: checked(routeName(route), route.data, whole.data),
    extra: route.extra ? checkedObject(routeName(route), route.extra, whole.extra) : {},
  })
}

function bodyOf({ method, body }: FastifyRequest): unknown {
  return method === 'GET' ? {} : (body ?? {})
}

type OutputSchema = BoundRoute['route']['data']

/** Only what the contract names leaves the process; an answer that does not fit it is a bug. */
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
