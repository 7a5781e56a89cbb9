import { ManualClock } from '@tollgate/kit/clock'
import { describe, expect, it } from 'vitest'
import { readTokenAnswer, type TokenExchange } from './exchange.ts'
import { TokenCache } from './token-cache.ts'

const LIFETIME_MS = 3_600_000

const exchange: TokenExchange = {
  request: (key) => ({ url: `https://vendor.example/${key}`, headers: {}, body: '' }),
  read: readTokenAnswer,
}

function harness({ entriesMax = 10 } = {}) {
  const clock = new ManualClock()
  const asked: string[] = []
  const answers: (() => Promise<Buffer>)[] = []
  const cache = new TokenCache({
    clock,
    entriesMax,
    send: ({ url }, proxy) => {
      asked.push(proxy === undefined ? url : `${url} through ${proxy}`)
      return (answers.shift() ?? (() => Promise.resolve(granted(`token-${asked.length}`))))()
    },
  })
  return { clock, asked, answers, cache }
}

function granted(token: string): Buffer {
  return Buffer.from(JSON.stringify({ access_token: token, expires_in: LIFETIME_MS / 1000 }))
}

describe('token cache', () => {
  it('requests tokens through the proxy of the channel', async () => {
    const { cache, asked } = harness()
    await cache.tokenFor(exchange, { key: 'k', proxy: 'socks5://proxy.example' })
    expect(asked).toEqual(['https://vendor.example/k through socks5://proxy.example'])
  })

  it('exchanges a key once for many concurrent calls', async () => {
    const { cache, asked } = harness()
    const tokens = await Promise.all(Array.from({ length: 50 }, () => cache.tokenFor(exchange, { key: 'k' })))
    expect(new Set(tokens)).toEqual(new Set(['token-1']))
    expect(await cache.tokenFor(exchange, { key: 'k' })).toBe('token-1')
    expect(asked).toEqual(['https://vendor.example/k'])
  })

  it('refreshes a token before it expires, without making calls wait', async () => {
    const { cache, clock, asked } = harness()
    await cache.tokenFor(exchange, { key: 'k' })
    clock.advance(LIFETIME_MS / 2)
    expect(await cache.tokenFor(exchange, { key: 'k' })).toBe('token-1')
    expect(asked).toHaveLength(2)
    await settled()
    expect(await cache.tokenFor(exchange, { key: 'k' })).toBe('token-2')
    expect(asked).toHaveLength(2)
  })

  it('keeps a working token when its refresh fails, and waits for a new one once it has expired', async () => {
    const { cache, clock, answers } = harness()
    await cache.tokenFor(exchange, { key: 'k' })
    clock.advance(LIFETIME_MS / 2)
    answers.push(() => Promise.reject(new Error('no network')))
    expect(await cache.tokenFor(exchange, { key: 'k' })).toBe('token-1')
    await settled()
    clock.advance(LIFETIME_MS / 2)
    expect(await cache.tokenFor(exchange, { key: 'k' })).toBe('token-3')
  })

  it('reports a key that the vendor refuses, and tries again at the next call', async () => {
    const { cache, answers } = harness()
    answers.push(() => Promise.resolve(Buffer.from('{"error":"invalid_grant"}')))
    await expect(cache.tokenFor(exchange, { key: 'k' })).rejects.toThrow(/channel_key_refused/)
    expect(await cache.tokenFor(exchange, { key: 'k' })).toBe('token-2')
  })

  it('forgets a token that the upstream refused, but not a newer one', async () => {
    const { cache } = harness()
    const first = await cache.tokenFor(exchange, { key: 'k' })
    cache.forget('k', first)
    expect(await cache.tokenFor(exchange, { key: 'k' })).toBe('token-2')
    cache.forget('k', first)
    expect(await cache.tokenFor(exchange, { key: 'k' })).toBe('token-2')
  })

  it('evicts the oldest entry when it is full', async () => {
    const { cache, asked } = harness({ entriesMax: 2 })
    for (const key of ['a', 'b', 'c', 'b', 'c']) await cache.tokenFor(exchange, { key })
    expect(asked).toHaveLength(3)
    await cache.tokenFor(exchange, { key: 'a' })
    expect(asked).toHaveLength(4)
  })
})

/** Resolves after all pending promises have settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
