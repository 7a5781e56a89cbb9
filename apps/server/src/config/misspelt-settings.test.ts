import { describe, expect, it } from 'vitest'
import { readConfig } from './index.ts'
import { editDistance } from './misspelt-settings.ts'

const memory = { SQLITE_PATH: ':memory:' }
const warningsWith = (more: Record<string, string>) => readConfig({ ...memory, ...more }).warnings

describe('a variable that was probably meant to be a setting', () => {
  it.each([
    ['SQLITE_PTAH', 'SQLITE_PATH'],
    ['EGRESS_ALOW', 'EGRESS_ALLOW'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['WORKER', 'WORKERS'],
    ['SESION_SECRET', 'SESSION_SECRET'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['STREAM_TIMEOUT', 'STREAMING_TIMEOUT'],
    ['REDIS_URL', 'REDIS_CONN_STRING'],
    ['DATABASE_URL', 'SQL_DSN'],
  ])('%s is named once, with %s', (name, meant) => {
    expect(warningsWith({ [name]: 'x' })).toEqual([`${name} has no effect: did you mean ${meant}?`])
  })

  it.each([
    'HOSTNAME',
    'NODE_ENV',
    'NODE_PATH',
    'HOSTTYPE',
    'PORTS',
    'TOLLGATE_PORT',
    'REDIS_PORT',
    'SESSION_MANAGER',
    'SESSION_SECRET_FILE',
    'AWS_PROFILE',
    'LANGUAGE',
  ])('%s is not', (name) => {
    const value = name.endsWith('_FILE') ? '' : 'x'
    expect(warningsWith({ [name]: value })).toEqual([])
  })

  it.each(['ERROR_LOG_ENABLED', 'NODE_NAME', 'AZURE_DEFAULT_API_VERSION', 'STREAM_SCANNER_MAX_BUFFER_MB'])(
    '%s of the family is named with the reason',
    (name) => {
      const [warning, ...others] = warningsWith({ [name]: 'x' })
      expect(warning).toMatch(new RegExp(`^${name} has no effect: (?!did)`))
      expect(others).toEqual([])
    },
  )

  it('an empty variable says nothing', () => {
    expect(warningsWith({ SQLITE_PTAH: '' })).toEqual([])
  })
})

it.each([
  ['', '', 0],
  ['abc', '', 3],
  ['SQLITE_PTAH', 'SQLITE_PATH', 2],
  ['kitten', 'sitting', 3],
] as const)('the distance from %j to %j is %i', (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance)
  expect(editDistance(to, from)).toBe(distance)
})
