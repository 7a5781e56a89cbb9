import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Limiter } from '@tollgate/coordination/limits'
import { redisLimiter } from '@tollgate/coordination/redis-limiter'
import type { RedisLink } from '@tollgate/coordination/redis-link'
import { RedisOpenError } from '@tollgate/coordination/redis-open-error'
import { redisNotices } from '@tollgate/coordination/redis-notices'
import { redisOneTime } from '@tollgate/coordination/redis-one-time'
import type { Notice, Notices } from '@tollgate/coordination/notices'
import { systemClock } from '@tollgate/kit/clock'
import { type TcpProxy, openTcpProxy } from '@tollgate/testkit/tcp-proxy'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestLink, redis, removeKeys } from './implementations.ts'

/** Tests of processes that share a Redis, and of their behaviour while it is down. */

const MINUTE_MS = 60_000

describe.skipIf(!redis)('over Redis', () => {
  const { url, host, port } = redis ?? { url: '', host: '', port: 0 }
  let proxy: TcpProxy
  let prefix: string
  let changes: string[]
  const links: RedisLink[] = []
  const throughProxy = () => `redis://127.0.0.1:${proxy.port}`

  beforeEach(async () => {
    proxy = await openTcpProxy({ host, port })
    prefix = `tollgate-test:${randomUUID()}:`
    changes = []
  })
  afterEach(async () => {
    for (const link of links.splice(0)) link.close()
    await proxy.close()
    await removeKeys(url, prefix)
  })

  async function open(at: string, seen?: string[]): Promise<RedisLink> {
    const link = await openTestLink(at, { prefix, ...(seen && { changes: seen }) })
    links.push(link)
    return link
  }

  test('three processes share one limit', async () => {
    const limiters = await Promise.all([1, 2, 3].map(async () => limiterOf(await open(url), 10)))
    const asked = Array.from({ length: 100 }, () => limiters.map((limiter) => limiter.consume('somebody')))
    const decisions = await Promise.all(asked.flat())
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(10)
    const [first, , third] = limiters
    await first?.refund('somebody', 3)
    for (const expected of [true, true, true, false])
      expect(await third?.consume('somebody')).toMatchObject({ allowed: expected })
  })

  test.each([
    ['falls silent', async () => proxy.freeze(), async () => proxy.thaw()],
    ['is gone', () => proxy.goDown(), () => proxy.comeBack()],
  ])(
    'when Redis %s, limits neither block callers nor grant a fresh window, and the link recovers',
    async (_, lose, mend) => {
      const link = await open(throughProxy(), changes)
      const limiter = limiterOf(link, 5)
      for (let i = 0; i < 3; i++) await limiter.consume('somebody')
      await lose()
      expect((await limiter.consume('somebody')).allowed).toBe(true)
      expect((await limiter.consume('somebody')).allowed).toBe(true)
      expect((await limiter.consume('somebody')).allowed).toBe(false)
      expect((await limiter.consume('another')).allowed).toBe(true)
      expect(changes).toEqual(['away'])
      await mend()
      await until(() => link.isUp)
      expect(changes).toEqual(['away', 'up'])
      expect(link.losses).toBe(1)
      expect((await limiter.consume('somebody')).allowed).toBe(true)
    },
  )

  test('only the first caller waits for a silent Redis', async () => {
    const link = await open(throughProxy())
    const limiter = limiterOf(link, 1000)
    await limiter.consume('somebody')
    proxy.freeze()
    await limiter.consume('somebody')
    expect(link.isUp).toBe(false)
    // Rejected in the same turn of the event loop, without sending anything.
    await expect(Promise.race([link.send(['PING']), nextTurn()])).rejects.toThrow('away')
    // A connection that stays silent is reopened.
    await until(() => proxy.accepted > 1)
    proxy.thaw()
    await until(() => link.isUp)
  })

  test('a process that starts without Redis works on its own and joins when Redis is up', async () => {
    await proxy.goDown()
    const link = await open(throughProxy(), changes)
    expect(changes).toEqual(['away'])
    const notices = await redisNotices(link, { onFailure: unexpected })
    const received = listen(notices)
    expect((await limiterOf(link, 1).consume('somebody')).allowed).toBe(true)
    await proxy.comeBack()
    await until(() => link.isUp)
    const other = await redisNotices(await open(url), { onFailure: unexpected })
    await other.publish({ entity: 'channel' })
    await until(() => received.includes('channel'))
  })

  test('a Redis that refuses the connection is reported at the start', async () => {
    const refused = openTestLink(`redis://nobody:wrong@${host}:${port}`)
    await expect(refused).rejects.toThrow(RedisOpenError)
    await expect(refused).rejects.toThrow('REDIS_CONN_STRING')
    await expect(refused).rejects.not.toThrow('wrong@')
  })

  test('a notice reaches every process once, and the publisher at once', async () => {
    const [first, second, third] = await Promise.all(
      [url, url, url].map(async (at) => redisNotices(await open(at), { onFailure: unexpected })),
    )
    const [own, others, thirds] = [listen(first), listen(second), listen(third)]
    await first?.publish({ entity: 'token', id: 7 })
    expect(own).toEqual(['token 7'])
    await first?.publish({ entity: 'option' })
    await until(() => others.length === 2 && thirds.length === 2)
    expect(others).toEqual(['token 7', 'option'])
    expect(thirds).toEqual(others)
    expect(own).toEqual(['token 7', 'option'])
  })

  test('a process that lost the connection refreshes everything, and publishes what it could not send', async () => {
    const first = await redisNotices(await open(throughProxy()), { onFailure: unexpected })
    const second = await redisNotices(await open(url), { onFailure: unexpected })
    const [own, others] = [listen(first), listen(second)]
    await proxy.goDown()
    await first.publish({ entity: 'channel', id: 3 })
    expect(own).toEqual(['channel 3'])
    await second.publish({ entity: 'token', id: 4 })
    await proxy.comeBack()
    await until(() => own.includes('*') && others.includes('*'))
    await second.publish({ entity: 'token', id: 5 })
    await until(() => own.includes('token 5'))
    expect(own).not.toContain('token 4')
  })

  test('a short connection reset counts as a loss', async () => {
    const notices = await redisNotices(await open(throughProxy()), { onFailure: unexpected })
    const received = listen(notices)
    proxy.reset()
    await until(() => received.includes('*'))
  })

  test('an unreadable notice from another version counts as a change of everything', async () => {
    const link = await open(url)
    const received = listen(await redisNotices(link, { onFailure: unexpected }))
    for (const message of ['not JSON', '7', '{"entity":5}'])
      await link.send(['PUBLISH', `${prefix}notices`, message])
    await until(() => received.length === 3)
    expect(received).toEqual(['*', '*', '*'])
  })

  test('a value stored without Redis can be taken in its own process, one stored with Redis anywhere', async () => {
    const [first, second] = [await open(throughProxy()), await open(url)]
    const [one, two] = [redisOneTime(first, systemClock), redisOneTime(second, systemClock)]
    await one.put('shared', 'a', MINUTE_MS)
    expect(await two.take('shared')).toBe('a')
    expect(await one.take('shared')).toBeUndefined()
    await proxy.goDown()
    expect(await one.put('alone', 'b', MINUTE_MS)).toBe(true)
    expect(await one.put('alone', 'b', MINUTE_MS)).toBe(false)
    await proxy.comeBack()
    await until(() => first.isUp)
    expect(await one.put('alone', 'b', MINUTE_MS)).toBe(false)
    expect(await two.take('alone')).toBeUndefined()
    expect(await one.take('alone')).toBe('b')
  })
})

function limiterOf(link: RedisLink, limit: number): Limiter {
  return redisLimiter({ limit, windowMs: MINUTE_MS }, { link, name: 'test', clock: systemClock })
}

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(10)
}

function listen(notices: Notices | undefined): string[] {
  const received: string[] = []
  notices?.subscribe(
    ({ entity, id }: Notice) => void received.push(id === undefined ? entity : `${entity} ${id}`),
  )
  return received
}

function unexpected(error: unknown): never {
  throw error
}
