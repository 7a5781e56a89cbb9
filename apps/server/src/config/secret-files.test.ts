import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from './index.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const memory = { SQLITE_PATH: ':memory:' }
const SECRETS = { SESSION_SECRET: 'a session secret 1', CRYPTO_SECRET: 'a crypto secret 12' }

function file(content: string, mode = 0o600): string {
  const path = join(folder, 'secret')
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}

describe('a secret from a file', () => {
  it.each([
    ['SESSION_SECRET', 'a session secret of 32 characters'],
    ['CRYPTO_SECRET', 'a crypto secret of 32 characters!'],
    ['METRICS_TOKEN', 'a metrics token of the tests'],
    ['SETUP_TOKEN', 'a setup token of the tests'],
    ['REDIS_CONN_STRING', 'redis://:password@redis:6379/0'],
  ])('is the same as %s in the environment', (name, text) => {
    const { [name]: _given, ...others }: Record<string, string> = { ...memory, ...SECRETS }
    const plain = readConfig({ ...others, [name]: text })
    const filed = readConfig({ ...others, [`${name}_FILE`]: file(`${text}\n`) })
    expect(filed).toEqual(plain)
    expect(filed.warnings).toEqual([])
  })

  it('names the database', () => {
    const dsn = 'postgres://u:p@h/d'
    expect(readConfig({ ...SECRETS, SQL_DSN_FILE: file(dsn) }).sqlDsn).toBe(dsn)
  })

  it.each([
    ['that everybody may read', 'SESSION_SECRET', () => file('a session secret', 0o644), 'chmod 600'],
    ['that the group and everybody may read', 'CRYPTO_SECRET', () => file('a secret', 0o664), 'chmod 600'],
    ['that is not there', 'METRICS_TOKEN', () => join(folder, 'none'), 'cannot be read (ENOENT)'],
    ['that is empty', 'SESSION_SECRET', () => file('\n'), 'it is empty'],
    ['that is a folder', 'SETUP_TOKEN', () => folder, /EISDIR|chmod/],
    ['that is too long', 'SESSION_SECRET', () => file('x'.repeat(70_000)), 'too long'],
    ['with a short secret', 'SESSION_SECRET', () => file('short'), 'at least 16 characters'],
  ] as const)('%s is refused by name', (_what, name, path, reason) => {
    expect(() => readConfig({ ...memory, [`${name}_FILE`]: path() })).toThrow(reason)
    expect(() => readConfig({ ...memory, [`${name}_FILE`]: path() })).toThrow(name)
  })

  it('beside the variable itself is refused', () => {
    const both = { SESSION_SECRET: 'a session secret', SESSION_SECRET_FILE: file('another secret!!') }
    expect(() => readConfig({ ...memory, ...both })).toThrow(
      'SESSION_SECRET and SESSION_SECRET_FILE: give one',
    )
  })

  it('is read for secrets only', () => {
    expect(readConfig({ ...memory, PORT_FILE: file('1') }).port).toBe(3000)
  })
})
