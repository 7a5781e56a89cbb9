import { once } from 'node:events'
import { type AddressInfo, type Server, createServer } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { openStore } from '../database/open-store.ts'
import { sessionSettings } from '../mysql/session.ts'

/** Fakes of old database servers. They report their version and reject nearly everything else. */

const running: Server[] = []
afterEach(() => {
  for (const server of running.splice(0)) server.close()
})

async function portOf(server: Server): Promise<number> {
  running.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return (server.address() as AddressInfo).port
}

/**
 * A message of the PostgreSQL protocol: its type letter, its length including the length field, and its
 * content.
 */
function message(letter: string, ...parts: readonly (string | number | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (Buffer.isBuffer(part) ? part : bytesOf(part))))
  return Buffer.concat([Buffer.from(letter), bytesOf(body.length + 4), body])
}

function bytesOf(part: string | number): Buffer {
  if (typeof part === 'string') return Buffer.from(`${part}\0`)
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(part)
  return bytes
}

const short = (number: number): Buffer => Buffer.from([number >> 8, number & 0xff])
const ready = message('Z', Buffer.from('I'))
const TEXT = 25

function oldPostgres(version: string, unknown: RegExp): Server {
  const name = [short(1), 'server_version', 0, short(0), TEXT, short(0xffff), -1, short(0)]
  const row = [short(1), version.length, Buffer.from(version)]
  return createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', 0), ready]))
      socket.on('data', (asked) => {
        const text = asked.toString('utf8')
        if (asked[0] !== 0x51) return socket.end()
        const refusal = message(
          'E',
          'SERROR',
          'C42704',
          'Munrecognized configuration parameter',
          Buffer.alloc(1),
        )
        const reported = Buffer.concat([message('T', ...name), message('D', ...row), message('C', 'SHOW')])
        return socket.write(Buffer.concat([unknown.test(text) ? refusal : reported, ready]))
      })
    })
  })
}

it.each([
  ['9.5.25', /jit|idle_in_transaction/],
  ['10.23 (Debian 10.23-0)', /jit/],
])('the error for PostgreSQL %s says that the server is too old', async (version, unknown) => {
  const port = await portOf(oldPostgres(version, unknown))
  await expect(openStore({ dsn: `postgres://somebody@127.0.0.1:${port}/tollgate` })).rejects.toMatchObject({
    reason: 'old_server',
    message: `PostgreSQL 14 or newer is needed, the server is ${version}.`,
  })
})

const LIMITS = { statementMs: 1_000, silentTransactionMs: 1_000, lockMs: 1_000, connectMs: 1_000 }

it.each([
  ['5.6.51-log', 'MySQL 8.0.16 or newer is needed, the server is 5.6.51.'],
  ['5.7.44', 'MySQL 8.0.16 or newer is needed, the server is 5.7.44.'],
  ['8.0.15', 'MySQL 8.0.16 or newer is needed, the server is 8.0.15.'],
  ['5.5.68-MariaDB', 'MariaDB 10.6.0 or newer is needed, the server is 5.5.68.'],
  [
    '5.5.5-10.2.44-MariaDB-1:10.2.44+maria~bionic',
    'MariaDB 10.6.0 or newer is needed, the server is 10.2.44.',
  ],
])('%s is rejected as too old before any other statement is sent', async (version, message) => {
  const answer = { columns: ['version()'], rows: [[version]], changes: 0n, insertId: 0n }
  const query = vi.fn(async () => answer)
  await expect(sessionSettings({ query }, LIMITS)).rejects.toMatchObject({ reason: 'old_server', message })
  expect(query.mock.calls).toEqual([['select version()']])
})
