import { memoryLimiter, syncLimiter } from '@tollgate/coordination/memory-limiter'
import { ManualClock } from '@tollgate/kit/clock'
import { expect, test } from 'vitest'
import { createNetworkLimiter, createSyncNetworkLimiter } from './network-limiter.ts'

const LIMIT = 5
const options = { limit: LIMIT, windowMs: 60_000 }

/** Number of calls that were allowed, one from each address. */
async function countAllowed(addresses: readonly string[]): Promise<number> {
  const clock = new ManualClock()
  const limiter = createNetworkLimiter(memoryLimiter(options, clock), LIMIT)
  const atOnce = createSyncNetworkLimiter(syncLimiter(options, clock), LIMIT)
  let allowed = 0
  for (const address of addresses) {
    const decision = await limiter.consume(address)
    expect(atOnce.consume(address).allowed).toBe(decision.allowed)
    if (decision.allowed) allowed++
  }
  return allowed
}

const networks = (count: number, form: (index: string) => string) =>
  Array.from({ length: count }, (_, index) => form(index.toString(16)))

test.each([
  ['one IPv4 address', networks(100, () => '198.51.100.1'), 5],
  ['many IPv4 addresses', networks(200, (index) => `198.51.100.${Number.parseInt(index, 16)}`), 200],
  ['one /64', networks(100, (index) => `2001:db8:1:2::${index}`), 5],
  ['many /64 of one /48', networks(400, (index) => `2001:db8:1:${index}::1`), 80],
  [
    'many addresses of two /48',
    networks(400, (index) => `2001:db8:${Number.parseInt(index, 16) % 2}:${index}::1`),
    160,
  ],
  ['many /48', networks(400, (index) => `2001:db8:${index}::1`), 400],
  ['one /48 in other spellings', networks(400, (index) => `2001:0DB8:0001:${index}:0:0:0:1`), 80],
])('%s: as many calls are allowed as its clients may make', async (_name, addresses, allowed) => {
  expect(await countAllowed(addresses)).toBe(allowed)
})

test('a client beside a busy one of its wide network is still served', async () => {
  const busy = networks(100, () => '2001:db8:1:2::1')
  expect(await countAllowed([...busy, '2001:db8:1:3::1'])).toBe(LIMIT + 1)
})
