import { describe, expect, it } from 'vitest'
import { StoreOpenError } from '../database/errors.ts'
import { nameOf } from './address.ts'
import { isServerDsn, parseDsn } from './dsn.ts'

const parts = (dsn: string) => {
  const { password, ...rest } = parseDsn(dsn)
  return { ...rest, password: password.reveal() }
}

describe('a DSN', () => {
  it('names a server unless it is empty or begins with "local"', () => {
    expect(['', 'local', 'local.db'].map(isServerDsn)).toEqual([false, false, false])
    expect(isServerDsn('postgres://a@b/c')).toBe(true)
  })

  it('a PostgreSQL URL is parsed into an address', () => {
    expect(parts('postgres://root:p%40ss@db.example:6432/gate?sslmode=verify-full')).toEqual({
      engine: 'postgres',
      host: 'db.example',
      port: 6432,
      socketPath: undefined,
      user: 'root',
      password: 'p@ss',
      database: 'gate',
      encryption: 'verified',
    })
    expect(parts('postgresql://u@[::1]/d')).toMatchObject({ host: '::1', port: 5432, encryption: 'off' })
    expect(parts('postgres://u@localhost/d?host=/run/postgresql')).toMatchObject({
      socketPath: '/run/postgresql',
    })
  })

  it('a MySQL URL and a DSN of the Go MySQL driver are parsed into an address', () => {
    expect(parts('mysql://u:w@h/d?tls=skip-verify')).toMatchObject({
      engine: 'mysql',
      host: 'h',
      port: 3306,
      encryption: 'encrypted',
    })
    expect(parts('root:pa:s/s@w?rd@tcp(10.0.0.7:3307)/one-api?charset=utf8mb4&parseTime=true')).toMatchObject(
      {
        engine: 'mysql',
        host: '10.0.0.7',
        port: 3307,
        user: 'root',
        password: 'pa:s/s@w?rd',
        database: 'one-api',
      },
    )
    expect(parts('u@tcp([fe80::1]:33)/d')).toMatchObject({ host: 'fe80::1', port: 33, password: '' })
    expect(parts('u@unix(/run/mysqld.sock)/d')).toMatchObject({ socketPath: '/run/mysqld.sock' })
    expect(parts('u@/d')).toMatchObject({ host: '127.0.0.1', port: 3306 })
    expect(parts('u@tcp(db)/d?tls=true')).toMatchObject({ host: 'db', port: 3306, encryption: 'verified' })
  })

  it.each([
    'nonsense',
    'root:secret@tcp(127.0.0.1:3306)',
    'root:secret@udp(127.0.0.1:3306)/d',
    'root:secret@tcp(a:b:c)/d',
    ':secret@tcp(h)/d',
    'root:secret@tcp(h)/d?tls=custom',
    'postgres://root:secret@h',
    'postgres://root:secret@h/d?sslmode=sometimes',
    'postgres://root:secret%zz@h/d',
    'postgres://:secret@h/d',
    'sqlserver://root:secret@h/d',
  ])('an unusable DSN is rejected in one line that does not contain the password: %s', (dsn) => {
    const refuse = () => parseDsn(dsn)
    expect(refuse).toThrow(StoreOpenError)
    expect(refuse).toThrow(/^SQL_DSN cannot be used: [^\n]*$/)
    expect(refuse).not.toThrow(/secret/)
  })

  it('the name for messages contains neither user nor password', () => {
    expect(nameOf(parseDsn('u:w@tcp(h)/d'))).toBe('MySQL database d at h:3306')
  })
})
