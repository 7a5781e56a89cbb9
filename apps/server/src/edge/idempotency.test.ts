import { randomBytes } from 'node:crypto'
import { memoryTtlCache } from '@tollgate/coordination/memory-ttl-cache'
import { ManualClock } from '@tollgate/kit/clock'
import { openCipher } from '@tollgate/kit/cipher'
import { beforeEach, expect, it } from 'vitest'
import { Answer } from '../services/handler.ts'
import { openIdempotencyStore, type IdempotencyStore } from './idempotency.ts'

const operation = { actorId: 7, route: 'POST /api/token', key: 'form-0001', body: { name: 'cli' } }
const clock = new ManualClock()
let idempotency: IdempotencyStore
let saved: number

beforeEach(() => {
  saved = 0
  idempotency = openIdempotencyStore(
    { ttlCache: (_name, options) => memoryTtlCache(options, clock) },
    openCipher(randomBytes(32)),
  )
})

const save = () => Promise.resolve(new Answer({ data: { id: ++saved } }))
const attempt = (change: Partial<typeof operation> = {}) =>
  idempotency.once({ ...operation, ...change }, save)

it('an operation that is sent again gets the first response and is not executed twice', async () => {
  expect((await attempt()).data).toEqual({ id: 1 })
  expect((await attempt()).data).toEqual({ id: 1 })
  expect(saved).toBe(1)
})

it('two simultaneous attempts are executed once', async () => {
  const answers = await Promise.all([attempt(), attempt()])
  expect(answers.map(({ data }) => data)).toEqual([{ id: 1 }, { id: 1 }])
})

it('another user, route or idempotency key is another operation, and so is a request without a key', async () => {
  await attempt()
  await attempt({ actorId: 8 })
  await attempt({ route: 'POST /api/redemption' })
  await attempt({ key: 'form-0002' })
  await idempotency.once({ ...operation, key: undefined }, save)
  await idempotency.once({ ...operation, key: undefined }, save)
  expect(saved).toBe(6)
})

it('another body under the same key is refused once the first operation has completed', async () => {
  await attempt()
  await expect(attempt({ body: { name: 'other' } })).rejects.toThrow('idempotency_key_used')
  await expect(attempt({ key: 'short' })).rejects.toThrow('idempotency_key_invalid')
})

it('a failed operation is not stored: the next attempt is executed', async () => {
  const refused = idempotency.once(operation, () => Promise.reject(new Error('no')))
  await expect(refused).rejects.toThrow('no')
  expect((await attempt({ body: { name: 'right' } })).data).toEqual({ id: 1 })
})
