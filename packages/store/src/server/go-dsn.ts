import { Secret } from '@tollgate/kit/secret'
import {
  type ServerAddress,
  badDsn,
  encryptionOfTls,
  readAuthorities,
  refuseUnusedCertificates,
} from './address.ts'

/**
 * Parses `[user[:password]@][network[(address)]]/database[?name=value&…]` as the Go MySQL driver does. The
 * last slash starts the database and the last @ before it ends the password, so a password may contain any
 * character. Parameters that only concern the driver are ignored.
 */
export function parseGoDsn(dsn: string): ServerAddress {
  const slash = dsn.lastIndexOf('/')
  if (slash < 0) throw badDsn('it has no slash before the name of the database')
  const [database = '', query = ''] = splitOnce(dsn.slice(slash + 1), '?')
  if (database === '') throw badDsn('it names no database')
  const left = dsn.slice(0, slash)
  const at = left.lastIndexOf('@')
  const [user = '', password = ''] = splitOnce(left.slice(0, Math.max(0, at)), ':')
  if (user === '') throw badDsn('it names no user')
  const parameters = new URLSearchParams(query)
  refuseUnusedCertificates(parameters)
  const encryption = encryptionOfTls(parameters.get('tls'))
  return {
    engine: 'mysql',
    ...parsePlace(left.slice(at + 1)),
    user,
    password: new Secret(password),
    database,
    encryption,
    authorities: readAuthorities(parameters, encryption),
  }
}

type Place = Pick<ServerAddress, 'host' | 'port' | 'socketPath'>

function parsePlace(text: string): Place {
  const [, network = '', address = ''] = /^([a-z0-9]*)(?:\((.*)\))?$/.exec(text) ?? []
  if (network === 'unix') return { host: 'localhost', port: 0, socketPath: address || '/tmp/mysql.sock' }
  if (text !== '' && network !== 'tcp') throw badDsn('the address of its server is not tcp(host:port)')
  const [, host = '', port = ''] = /^(\[.*\]|[^:]*)(?::(\d{1,5}))?$/.exec(address) ?? []
  if (address !== '' && host === '') throw badDsn('the address of its server is not tcp(host:port)')
  return {
    host: host.replace(/^\[(.*)\]$/, '$1') || '127.0.0.1',
    port: port === '' ? 3306 : Number(port),
    socketPath: undefined,
  }
}

function splitOnce(text: string, separator: string): readonly string[] {
  const index = text.indexOf(separator)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + separator.length)]
}
