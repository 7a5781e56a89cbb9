import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answeringServers } from './databases.ts'
import { isCounted, readServerAddress, reportMissing } from './missing-servers.ts'
import { findOwnServer } from './own-server.ts'
import { answeringRedis } from './redis.ts'

const DEAD = {
  TOLLGATE_TEST_POSTGRES: 'postgres://postgres@127.0.0.1:1/postgres',
  TOLLGATE_TEST_MYSQL: 'mysql://root@127.0.0.1:1/mysql',
  TOLLGATE_TEST_REDIS: 'redis://127.0.0.1:1',
  TOLLGATE_REQUIRE_SERVERS: '',
  TOLLGATE_SERVERS_LEFT_OUT: '',
  TOLLGATE_SERVERS_COUNTED: '',
}

const printed: string[] = []
beforeEach(() => {
  printed.length = 0
  for (const [name, value] of Object.entries(DEAD)) vi.stubEnv(name, value)
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

test('a server that does not answer is skipped with a line that names its variable', async () => {
  expect(await answeringServers()).toEqual([])
  expect(await answeringRedis()).toBeUndefined()
  expect(printed.map((text) => text.trim()).sort()).toEqual([
    '!!! no MariaDB or MySQL at 127.0.0.1:1 (set TOLLGATE_TEST_MYSQL): its tests are SKIPPED',
    '!!! no PostgreSQL at 127.0.0.1:1 (set TOLLGATE_TEST_POSTGRES): its tests are SKIPPED',
    '!!! no Redis at 127.0.0.1:1 (set TOLLGATE_TEST_REDIS): its tests are SKIPPED',
  ])
})

test('a server that does not answer fails its tests where every server is required', async () => {
  vi.stubEnv('TOLLGATE_REQUIRE_SERVERS', '1')
  await expect(answeringServers()).rejects.toThrow(/no .* at 127\.0\.0\.1:1/)
  await expect(answeringRedis()).rejects.toThrow('no Redis at 127.0.0.1:1')
  expect(() => reportMissing('nats')).toThrow('no NATS here: its tests are SKIPPED')
})

test('a server that the run left out is skipped without a word, and the others stay required', async () => {
  vi.stubEnv('TOLLGATE_REQUIRE_SERVERS', '1')
  vi.stubEnv('TOLLGATE_SERVERS_LEFT_OUT', 'postgres mysql')
  expect(await answeringServers()).toEqual([])
  expect(printed).toEqual([])
  await expect(answeringRedis()).rejects.toThrow('no Redis')
})

test('a server that is only counted looks like one that answers, and cannot be used', async () => {
  vi.stubEnv('TOLLGATE_SERVERS_LEFT_OUT', 'postgres mysql redis nats')
  vi.stubEnv('TOLLGATE_SERVERS_COUNTED', 'postgres redis nats')
  const servers = await answeringServers()
  expect(servers.map(({ label }) => label)).toEqual(['PostgreSQL'])
  expect(() => servers[0]?.createDatabase()).toThrow('only counted')
  expect(await answeringRedis()).toMatchObject({ port: 1 })
  expect(findOwnServer('nats')).toBeDefined()
  expect(isCounted('mysql')).toBe(false)
})

test('a server that each test file starts has no shared address', () => {
  expect(() => readServerAddress('nats')).toThrow('Tests share no NATS')
  vi.stubEnv('TOLLGATE_TEST_REDIS', undefined)
  expect(readServerAddress('redis')).toBe('redis://127.0.0.1:6379')
})
