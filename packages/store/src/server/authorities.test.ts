import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseDsn } from './dsn.ts'

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
let folder: string
let file: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-ca-'))
  file = join(folder, 'ca.pem')
  writeFileSync(file, PEM)
  writeFileSync(join(folder, 'empty.pem'), 'nothing')
})
afterAll(() => rmSync(folder, { recursive: true }))

it.each<[string, () => string]>([
  ['sslrootcert of PostgreSQL', () => `postgres://u@h/d?sslmode=verify-full&sslrootcert=${file}`],
  ['sslrootcert with verify-ca', () => `postgres://u@h/d?sslmode=verify-ca&sslrootcert=${file}`],
  ['ssl-ca of MySQL', () => `mysql://u@h/d?tls=true&ssl-ca=${file}`],
  ['ssl-ca of a DSN of Go', () => `u:p@tcp(h:3306)/d?tls=true&ssl-ca=${encodeURIComponent(file)}`],
])('%s names the certificates of an authority', (_what, dsn: () => string) => {
  expect(parseDsn(dsn())).toMatchObject({ encryption: 'verified', authorities: PEM })
})

it.each([
  ['no certificates', 'postgres://u@h/d?sslmode=verify-full'],
  ['the certificates of the system', 'postgres://u@h/d?sslmode=verify-full&sslrootcert=system'],
])('%s leave the choice to Node', (_what, dsn) => {
  expect(parseDsn(dsn).authorities).toBeUndefined()
})

it.each<[string, () => string, string]>([
  [
    'a file that is not there',
    () => `postgres://u:secret@h/d?sslmode=verify-full&sslrootcert=${folder}/no.pem`,
    'ENOENT',
  ],
  [
    'a file without certificates',
    () => `postgres://u:secret@h/d?sslmode=verify-full&sslrootcert=${folder}/empty.pem`,
    'PEM',
  ],
  [
    'certificates that nothing compares',
    () => `postgres://u:secret@h/d?sslmode=require&sslrootcert=${file}`,
    'verify-full',
  ],
  ['certificates without encryption', () => `mysql://u:secret@h/d?ssl-ca=${file}`, 'tls=true'],
  ['a certificate of the client', () => 'postgres://u:secret@h/d?sslmode=verify-full&sslcert=/a', 'sslcert'],
  ['a key of the client', () => 'mysql://u:secret@h/d?tls=true&ssl-key=/a', 'ssl-key'],
])('%s is refused with the reason and without the password', (_what, dsn, reason) => {
  expect(() => parseDsn(dsn())).toThrow(reason)
  expect(() => parseDsn(dsn())).not.toThrow('secret@')
})
