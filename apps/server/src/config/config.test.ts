import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigError, readConfig, readCopyKey } from './index.ts'
import { ignoredSettings } from './ignored-settings.ts'
import { settings } from './settings.ts'
import type { Setting } from './kinds.ts'

let folder: string
let sqlitePath: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-config-'))
  sqlitePath = join(folder, 'inner', 'tollgate.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const memory = { SQLITE_PATH: ':memory:' }

test('an empty environment is a working configuration', () => {
  const config = readConfig(memory)
  expect(config).toMatchObject({ port: 3000, host: '', streamIdleMs: 300_000, relayBodyBytesMax: 33_554_432 })
  expect(config.keys.cipher).toHaveLength(32)
  expect(config.warnings).toEqual([])
})

test.each<[string, string, string]>([
  ['PORT', 'abc', 'PORT=abc: allowed is a whole number from 0 to 65535'],
  ['PORT', '70000', 'PORT=70000: allowed is a whole number from 0 to 65535'],
  ['PORT', '-1', 'PORT=-1: allowed is a whole number from 0 to 65535'],
  ['GLOBAL_API_RATE_LIMIT_ENABLE', 'yes', 'GLOBAL_API_RATE_LIMIT_ENABLE=yes: allowed is true or false'],
  ['SYNC_FREQUENCY', '0', 'SYNC_FREQUENCY=0: allowed is seconds, a whole number from 1 to 3600'],
  ['SESSION_SECRET', 'random_string', 'SESSION_SECRET=(not shown): allowed is at least 16 characters'],
  ['CRYPTO_SECRET', 'short', 'CRYPTO_SECRET=(not shown): allowed is at least 16 characters'],
  ['CRYPTO_SECRET', '0123456789ABCDEF', 'CRYPTO_SECRET=(not shown): '],
  ['SQL_DSN', 'postgres://u:p@h/d', 'SESSION_SECRET and CRYPTO_SECRET: must be given with SQL_DSN'],
  ['REDIS_CONN_STRING', 'localhost:6379', 'REDIS_CONN_STRING=(not shown): allowed is redis://'],
  ['REDIS_CONN_STRING', 'redis://h/first', 'REDIS_CONN_STRING=(not shown): allowed is redis://'],
  ['NODE_TYPE', 'slave', 'NODE_TYPE=slave: needs SQL_DSN'],
  ['SQL_POOLER', 'transaction', 'SQL_POOLER=transaction: needs SQL_DSN with a PostgreSQL address'],
  ['SQL_POOLER', 'session', 'SQL_POOLER=session: allowed is one of none, transaction'],
  ['WORKERS', '0', 'WORKERS=0: allowed is a whole number from 1 to 256'],
  ['WORKERS', '2', 'WORKERS=2: needs a database that processes can share'],
  ['NODE_TYPE', 'worker', 'NODE_TYPE=worker: allowed is one of master, slave'],
  [
    'TRUSTED_PROXIES',
    '10.0.0.0/8,example.com',
    'TRUSTED_PROXIES=10.0.0.0/8,example.com: allowed is addresses',
  ],
  ['TRUSTED_PROXIES', '127.1', 'TRUSTED_PROXIES=127.1: allowed is addresses'],
  ['TRUSTED_PROXIES', '10.0.0.0/40', 'TRUSTED_PROXIES=10.0.0.0/40: allowed is addresses'],
  ['EGRESS_ALLOW', 'http://localhost', 'EGRESS_ALLOW=http://localhost: allowed is hosts'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL=loud: allowed is one of info, trace'],
  ['TZ', 'Mars/Olympus', 'TZ=Mars/Olympus: allowed is a time zone'],
])(
  '%s=%s is refused with one line that names the variable, its value and the allowed values',
  (name, value, line) => {
    expect(() => readConfig({ ...memory, [name]: value })).toThrow(ConfigError)
    try {
      readConfig({ ...memory, [name]: value })
    } catch (error) {
      const message = error instanceof ConfigError ? error.message : ''
      expect(message).toContain(line)
      expect(message.split('\n')).toHaveLength(1)
      if (message.includes('(not shown)')) expect(message).not.toContain(value)
    }
  },
)

test('all mistakes are reported at once', () => {
  expect(() => readConfig({ ...memory, PORT: 'x', TZ: 'y' })).toThrow(/PORT=x.*\nTZ=y/)
})

test('a variable that is set but has no effect is reported', () => {
  expect(readConfig({ ...memory, BATCH_UPDATE_ENABLED: 'true' }).warnings).toEqual([
    `BATCH_UPDATE_ENABLED has no effect: ${ignoredSettings['BATCH_UPDATE_ENABLED']}`,
  ])
})

const shared = {
  ...memory,
  SQL_DSN: 'postgres://user:word@host/tollgate',
  SESSION_SECRET: 'a secret of my own 1',
  CRYPTO_SECRET: 'another of my own 2',
}

test('a slave with a database server redirects to the console of its master', () => {
  const config = readConfig({ ...shared, NODE_TYPE: 'slave', FRONTEND_BASE_URL: 'https://gate.example.com/' })
  expect(config).toMatchObject({ nodeType: 'slave', frontendBaseUrl: 'https://gate.example.com' })
  expect(config.warnings).toEqual([])
})

test('a master serves the console itself and warns that FRONTEND_BASE_URL has no effect', () => {
  const config = readConfig({ ...memory, FRONTEND_BASE_URL: 'https://gate.example.com' })
  expect(config.warnings.join()).toContain('FRONTEND_BASE_URL has no effect')
})

test('the Redis address is kept and never printed', () => {
  const { redis } = readConfig({ ...memory, REDIS_CONN_STRING: 'rediss://user:word@host:6380/2' })
  expect(redis?.reveal()).toBe('rediss://user:word@host:6380/2')
  expect(JSON.stringify({ redis })).not.toContain('word')
})

test('query options after the SQLite path are dropped', () => {
  const config = readConfig({ SQLITE_PATH: `${sqlitePath}?_busy_timeout=5000` })
  expect(config.sqlitePath).toBe(sqlitePath)
})

test('missing secrets are generated once and kept beside the database, readable by the owner alone', () => {
  const first = readConfig({ SQLITE_PATH: sqlitePath })
  const path = join(folder, 'inner', 'secrets.json')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readConfig({ SQLITE_PATH: sqlitePath }).keys).toEqual(first.keys)
  expect(first.keys.cipher).not.toEqual(first.keys.session)
  const own = readConfig({ SQLITE_PATH: sqlitePath, SESSION_SECRET: 'a secret of my own 1' })
  expect(own.keys.cipher).toEqual(first.keys.cipher)
  expect(own.keys.session).not.toEqual(first.keys.session)
})

test('no secrets file is created when both secrets are given', () => {
  readConfig({
    SQLITE_PATH: sqlitePath,
    SESSION_SECRET: 'a secret of my own 1',
    CRYPTO_SECRET: 'another of my own 2',
  })
  expect(existsSync(join(folder, 'inner'))).toBe(false)
})

test('a copy to a server takes the key of the secrets file beside the source', () => {
  const { keys } = readConfig({ SQLITE_PATH: sqlitePath })
  const SQL_DSN = 'postgres://u:p@h/d'
  expect(readCopyKey({ SQLITE_PATH: sqlitePath, SQL_DSN })).toEqual(keys.cipher)
  const given = {
    SQL_DSN,
    SQLITE_PATH: join(folder, 'nowhere', 'x.db'),
    CRYPTO_SECRET: 'another of my own 2',
  }
  expect(readCopyKey(given)).not.toEqual(keys.cipher)
  expect(existsSync(join(folder, 'nowhere'))).toBe(false)
})

test('a copy to a server makes no key up', () => {
  const place = { SQL_DSN: 'postgres://u:p@h/d', SQLITE_PATH: join(folder, 'nowhere', 'x.db') }
  expect(() => readCopyKey(place)).toThrow(/CRYPTO_SECRET: must be given/)
  expect(existsSync(join(folder, 'nowhere'))).toBe(false)
})

test('a secrets file that is damaged or readable by others stops the start', () => {
  readConfig({ SQLITE_PATH: sqlitePath })
  const path = join(folder, 'inner', 'secrets.json')
  const kept = readFileSync(path)
  rmSync(path)
  writeFileSync(path, kept, { mode: 0o644 })
  expect(() => readConfig({ SQLITE_PATH: sqlitePath })).toThrow('chmod 600')
  rmSync(path)
  writeFileSync(path, '{"SESSION_SECRET":1', { mode: 0o600 })
  expect(() => readConfig({ SQLITE_PATH: sqlitePath })).toThrow('not a secrets file')
})

test('each variable has a unique name, an explained purpose and an allowed default', () => {
  const all = Object.values<Setting>(settings)
  expect(new Set(all.map((setting) => setting.name)).size).toBe(all.length)
  for (const setting of all) {
    expect(setting.schema.safeParse(setting.default).success).toBe(true)
    expect(setting.help).toMatch(/^[A-Z].*\.$|^auto:.*\.$/)
  }
})

test('docs/reference/settings.md matches the settings table', async () => {
  await expect(settingsPage()).toMatchFileSnapshot('../../../../docs/reference/settings.md')
})

function settingsPage(): string {
  const rows = Object.values<Setting>(settings).map(
    ({ name, default: value, allowed, help }) =>
      `| \`${name}\` | ${value && `\`${value}\``} | ${allowed} | ${help} |`,
  )
  const ignored = Object.entries(ignoredSettings).map(([name, reason]) => `- \`${name}\`: ${reason}`)
  return [
    '# Settings of the process',
    '',
    'Environment variables, or lines of a file `.env` in the working directory (an existing variable wins). All are checked at',
    'start; a value that is not allowed stops it with one line. Settings of the site are edited in the console instead.',
    '',
    '| variable | default | allowed | meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
    'Known from the new-api family, accepted without effect:',
    '',
    ...ignored,
    '',
  ].join('\n')
}

const server = {
  SQL_DSN: 'postgres://u:p@h/d',
  SESSION_SECRET: 'a session secret 1',
  CRYPTO_SECRET: 'a crypto secret 12',
}

test.each([
  [server, 6_000],
  [{ ...server, DRAIN_NOTICE_SECONDS: '0' }, 0],
  [{ ...server, DRAIN_NOTICE_SECONDS: '20' }, 20_000],
  [memory, 0],
  [{ ...memory, DRAIN_NOTICE_SECONDS: '3' }, 3_000],
])('%j announces a stop for %i ms', (environment, ms) => {
  expect(readConfig(environment).drainNoticeMs).toBe(ms)
})

test('a pooler for transactions needs a direct way, except for a slave', () => {
  const pooled = { ...server, SQL_POOLER: 'transaction' }
  expect(() => readConfig(pooled)).toThrow('SQL_POOLER=transaction: needs SQL_DIRECT_DSN')
  expect(readConfig({ ...pooled, NODE_TYPE: 'slave' }).sqlPooler).toBe('transaction')
  const direct = 'postgres://u:p@direct/d'
  expect(readConfig({ ...pooled, SQL_DIRECT_DSN: direct })).toMatchObject({ sqlDirectDsn: direct })
  expect(() => readConfig({ ...pooled, SQL_DSN: 'mysql://u:p@h/d', SQL_DIRECT_DSN: direct })).toThrow(
    'needs SQL_DSN with a PostgreSQL address',
  )
})
