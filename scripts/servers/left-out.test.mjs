import process from 'node:process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countMissingServers, countMissingTests, describeLeftOut } from './left-out.mjs'

let isRequired
beforeEach(() => {
  isRequired = process.env['TOLLGATE_REQUIRE_SERVERS']
  delete process.env['TOLLGATE_REQUIRE_SERVERS']
})
afterEach(() => {
  delete process.env['TOLLGATE_REQUIRE_SERVERS']
  if (isRequired !== undefined) process.env['TOLLGATE_REQUIRE_SERVERS'] = isRequired
})

const reason = 'it is not installed, and only root may install it'
const leftOut = ['redis', 'nats'].map((name) => ({ name, reason }))

describe('a server that is left out', () => {
  it('is named with its reason and the number of its tests', () => {
    expect(describeLeftOut({ label: 'Redis', reason, count: 41 })).toBe(
      'LEFT OUT: Redis (41 tests): it is not installed, and only root may install it',
    )
    expect(describeLeftOut({ label: 'Redis', reason, count: 1 })).toContain('(1 test)')
    expect(describeLeftOut({ label: 'Redis', reason, count: undefined })).toBe(`LEFT OUT: Redis: ${reason}`)
  })

  it('fails no run, unless every server is required', () => {
    expect(countMissingServers({ leftOut })).toBe(0)
    process.env['TOLLGATE_REQUIRE_SERVERS'] = '1'
    expect(countMissingServers({ leftOut })).toBe(2)
    expect(countMissingServers({ leftOut: [] })).toBe(0)
    expect(describeLeftOut({ label: 'Redis', reason, count: 41 })).toMatch(/; TOLLGATE_REQUIRE_SERVERS makes/)
  })

  // Vitest collects the files twice, in processes of its own.
  it.skipIf(process.env['TOLLGATE_QUICK'])(
    'has the number of tests that its files would have',
    { timeout: 240_000 },
    async () => {
      const env = {
        TOLLGATE_TEST_REDIS: 'redis://127.0.0.1:1',
        TOLLGATE_REQUIRE_SERVERS: 'true',
        TOLLGATE_SERVERS_LEFT_OUT: 'redis',
      }
      const args = [
        '--project',
        'journeys',
        'packages/coordination/test/redis.test.ts',
        'shared-rates.test.ts',
      ]
      const counts = await countMissingTests({ leftOut: [{ name: 'redis', reason }], env }, { args })
      expect(counts.get('redis')).toBeGreaterThan(10)
    },
  )
})
