import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStore } from '@tollgate/store/database/open-store'
import { answeringServers } from '@tollgate/testkit/databases'
import { programArgs } from '@tollgate/testkit/program'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** Operator mistakes before a start: the program names the mistake in one line and ends with 1. */

const NOBODY = 65_534
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-bad-start-'))
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'notes.txt'), 'not a database at all')
  mkdirSync(join(folder, 'foreign'), { mode: 0o755 })
  await openStore({ sqlitePath: join(folder, 'newer.db') }).then((store) => store.close())
  const whole = readFileSync(join(folder, 'newer.db'))
  writeFileSync(join(folder, 'half.db'), whole.subarray(0, whole.length / 2))
  const database = new DatabaseSync(join(folder, 'newer.db'))
  database.exec("insert into schema_migration values (999, 'from tomorrow', 1)")
  database.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

function startWith(environment: Record<string, string>, options: SpawnSyncOptions = {}): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, programArgs('start'), {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: '0',
      SESSION_SECRET: 'session secret of the tests',
      CRYPTO_SECRET: 'crypto secret of the tests',
      ...environment,
    },
    ...options,
  })
  expect(String(stdout)).toBe('')
  expect(status).toBe(1)
  const [head, line = '', ...rest] = String(stderr).trimEnd().split('\n')
  expect([head, rest]).toEqual(['Tollgate cannot start.', []])
  return line
}

it.each([
  [
    'a folder that is a file',
    'notes.txt/t.db',
    /^The database notes\.txt\/t\.db cannot be opened \(\w+\)\.$/,
  ],
  ['a file of another kind', 'notes.txt', 'notes.txt is a file of another kind, not a SQLite database.'],
  ['a folder instead of a file', 'foreign', 'SQLITE_PATH names a directory, not a file: foreign'],
  [
    'a newer database',
    'newer.db',
    /^The database has schema 999, this version knows \d+\. Start the newer version, or restore a backup\.$/,
  ],
  ['a backup that was cut off', 'half.db', /^The database half\.db is damaged .*Restore it from a backup/],
])('%s is refused with one line', (_what, sqlitePath, line) => {
  expect(startWith({ SQLITE_PATH: sqlitePath })).toMatch(line)
})

it('without secrets, a folder that cannot be made is refused with one line', () => {
  const line = startWith({ SQLITE_PATH: 'notes.txt/t.db', SESSION_SECRET: '', CRYPTO_SECRET: '' })
  expect(line).toMatch(/^notes\.txt\/secrets\.json: cannot be written \(\w+\)$/)
})

it.skipIf(process.getuid?.() !== 0)('a folder of somebody else is refused with one line', ({ skip }) => {
  const asNobody = { uid: NOBODY, gid: NOBODY }
  const { error } = spawnSync(process.execPath, ['--version'], asNobody)
  skip(error !== undefined, 'below a private folder, such as that of root, nobody cannot start Node')
  expect(startWith({ SQLITE_PATH: 'foreign/t.db' }, asNobody)).toBe(
    'The database foreign/t.db cannot be written (EACCES): check its file rights.',
  )
  const line = startWith({ SQLITE_PATH: 'foreign/t.db', SESSION_SECRET: '', CRYPTO_SECRET: '' }, asNobody)
  expect(line).toBe('foreign/secrets.json: cannot be written (EACCES)')
})

const [server] = await answeringServers()

it.skipIf(server === undefined)(
  'over a database server, a folder that cannot have a journal is refused with one line',
  async () => {
    const database = await server?.createDatabase()
    const line = startWith({ SQL_DSN: database?.dsn ?? '', SQLITE_PATH: 'notes.txt/t.db' })
    expect(line).toMatch(/^The journal cannot be kept in notes\.txt\/journal \(\w+\): check its owner/)
    await database?.drop()
  },
)

it('a port in use is refused with one line', async () => {
  const occupant = createServer()
  await new Promise<void>((resolve) => occupant.listen(0, '127.0.0.1', resolve))
  const address = occupant.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  expect(startWith({ PORT: String(port), SQLITE_PATH: 'fine.db' })).toBe(
    `Port ${port} is in use by another program (EADDRINUSE): stop it, or set PORT to another one.`,
  )
  occupant.close()
})
