import { defineRoute, nothing } from '@tollgate/contract/route'
import { memoryLimiter } from '@tollgate/coordination/memory-limiter'
import { ManualClock } from '@tollgate/kit/clock'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Actor, type Handler, bind } from '../services/handler.ts'
import { trustedProxies } from './client-address.ts'
import { mountRoutes } from './mount.ts'
import { origins } from './origin.ts'

const clock = new ManualClock()
const route = defineRoute({
  method: 'GET',
  path: '/api/thing',
  access: 'user',
  owner: 'self',
  rate: 'api',
  bodyBytesMax: 1024,
  changesState: false,
  isBillable: false,
  signIn: 'any',
  guardedWhen: { condition: 'it is Monday', signIn: 'recent' },
  summary: 'A thing',
  params: nothing,
  query: nothing,
  body: nothing,
  data: z.null(),
})
const actor: Actor = {
  id: 7,
  username: 'ada',
  role: 1,
  group: 'default',
  via: 'session',
  provenMs: clock.nowMs(),
  provenBy: 'password',
}

async function answerOf(handler: Handler<typeof route>): Promise<{ status: number; text: string }> {
  const app = fastify()
  const limiter = memoryLimiter({ limit: 100, windowMs: 1000 }, clock)
  mountRoutes(app, [bind(route, handler)], {
    clock,
    caughtUp: () => Promise.resolve(),
    access: {
      admit: () => Promise.resolve(actor),
      identifySession: () => Promise.resolve({ userId: actor.id }),
    },
    identities: {
      bySession: () => Promise.resolve(undefined),
      byAccessToken: () => Promise.resolve(undefined),
      startSession: () => Promise.reject(new Error('not here')),
      endSession: () => Promise.resolve(),
    },
    origins: origins({ proxies: trustedProxies([]), publicAddress: () => '' }),
    limits: {
      api: undefined,
      web: undefined,
      critical: limiter,
      reveal: limiter,
      probe: limiter,
      callback: limiter,
    },
    clientAddress: () => '203.0.113.9',
    idempotency: { once: (_operation, work) => work() },
  })
  const { statusCode, body } = await app.inject({ method: 'GET', url: '/api/thing' })
  await app.close()
  return { status: statusCode, text: body }
}

test('the response is refused if a handler does not call the guard of its route', async () => {
  const forgetful = await answerOf(() => Promise.resolve(null))
  expect(forgetful.status).toBe(500)
  expect(forgetful.text).toContain('asks its guard in every call')
  const careful = await answerOf(({ guard }) => {
    guard.require({ when: false })
    return Promise.resolve(null)
  })
  expect(careful.status).toBe(200)
})
