import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStore } from '@tollgate/store/database/open-store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess } from './support/run.ts'
import { sourceServers, sqliteSource, type SourceDatabase } from './support/source-database.ts'

/**
 * Operator mistakes: the command prints one line that names the mistake, exits with 1, or with 2 when the command
 * line itself is wrong, and changes nothing.
 */

let folder: string
let source: SourceDatabase
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-bad-'))
  source = await sqliteSource({ tables: {} })
  writeFileSync(join(folder, 'notes.txt'), 'not a database at all')
  writeFileSync(join(folder, 'empty.db'), '')
  mkdirSync(join(folder, 'folder'))
  makeDatabase('other.db', 'create table recipes (id integer primary key)')
  makeDatabase('narrow.db', 'create table users (id integer primary key, username text)')
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await source.drop()
})

function makeDatabase(name: string, statement: string): void {
  const database = new DatabaseSync(join(folder, name))
  database.exec(statement)
  database.close()
}

describe('an invalid import', () => {
  it.each([
    [[], 'Say what to import: tollgate import --from <dsn-or-sqlite-file>', 2],
    [['--from', 'missing.db'], 'There is no file missing.db.'],
    [['--from', 'folder'], 'folder is not a file.'],
    [['--from', 'empty.db'], 'empty.db is empty, not a SQLite database.'],
    [['--from', 'notes.txt'], 'notes.txt is not a SQLite database.'],
    [['--from', 'other.db'], 'other.db is no database that can be imported: it has no table users.'],
    [
      ['--from', 'narrow.db'],
      'narrow.db is no database that can be imported: its table users has no column password.',
    ],
    [['--from', 'redis://a@b/c'], /^--from cannot be used: it begins with redis:\/\//],
    [
      ['--from', 'postgres://root:hidden@127.0.0.1:1/x'],
      'The PostgreSQL database x at 127.0.0.1:1 cannot be reached: nothing listens there.',
    ],
    [
      ['--from', 'root:hidden@tcp(127.0.0.1:1)/x'],
      'The MySQL database x at 127.0.0.1:1 cannot be reached: nothing listens there.',
    ],
    [
      ['--from', 'postgres://root:hidden@nowhere.invalid/x'],
      /^The PostgreSQL database x at nowhere.invalid:5432 cannot be reached: [^\n]*$/,
    ],
    [['--colour'], "Unknown option '--colour'. See --help.", 2],
    [['old.db'], "Unexpected argument 'old.db'. See --help.", 2],
    [['--from', 'missing.db', '--report', 'folder/none/x.json'], /^folder\/none\/x\.json cannot be written/],
  ] as const)('arguments %j are refused with one line', async (args, line, expected: number = 1) => {
    const { code, output, errors } = await runInProcess('import', { args, folder })
    expect(code).toBe(expected)
    expect(output).toBe('')
    expectOneLine(errors, line)
    expect(errors).not.toContain('hidden')
  })

  it.skipIf(process.platform !== 'linux')('an import whose report cannot be written says so', async () => {
    const environment = { SQLITE_PATH: join(folder, 'reported.db') }
    const args = ['--from', source.place, '--report', '/dev/full']
    const { code, errors } = await runInProcess('import', { args, folder, environment })
    expect(code).toBe(1)
    expectOneLine(errors, /^The import is done, but \/dev\/full cannot be written: ENOSPC/)
  })

  it('a gateway cannot import its own database', async () => {
    const own = join(folder, 'own.db')
    await openStore({ sqlitePath: own }).then((store) => store.close())
    const environment = { SQLITE_PATH: own }
    const { code, errors } = await runInProcess('import', { args: ['--from', own], folder, environment })
    expect(code).toBe(1)
    expectOneLine(errors, /^--from names the database of this gateway itself/)
  })

  it('an import is refused while a gateway has the target open', async () => {
    const store = await openStore({ sqlitePath: join(folder, 'busy.db') })
    const environment = { SQLITE_PATH: join(folder, 'busy.db') }
    const { code, errors } = await runInProcess('import', {
      args: ['--from', source.place],
      folder,
      environment,
    })
    await store.close()
    expect(code).toBe(1)
    expectOneLine(errors, /busy\.db is in use by process \d+\. Only one process may write it/)
  })

  it('an import into a file that is not a database is refused', async () => {
    const environment = { SQLITE_PATH: join(folder, 'notes.txt') }
    const { code, errors } = await runInProcess('import', {
      args: ['--from', source.place],
      folder,
      environment,
    })
    expect(code).toBe(1)
    expectOneLine(errors, /notes\.txt/)
  })

  it('an import into a folder that cannot be created is refused', async () => {
    const environment = { SQLITE_PATH: join(folder, 'notes.txt', 'below', 't.db') }
    const { code, errors } = await runInProcess('import', {
      args: ['--from', source.place],
      folder,
      environment,
    })
    expect(code).toBe(1)
    expectOneLine(errors, /t\.db cannot be opened|cannot be written|secrets\.json/)
  })
})

const servers = await sourceServers()

describe.each(servers)('an import from $label', ({ make }) => {
  it.each([
    ['a wrong password', (place: string) => place.replace(/(\w+)@/, '$1:wrong@'), /does not let the user in/],
    [
      'no such database',
      (place: string) => place.replace(/tollgate_test_\w+/, 'tollgate_test_gone'),
      /^There is no \w+ database tollgate_test_gone/,
    ],
  ])('an import with %s is refused with one line', async (_what, change, line) => {
    const database = await make({ tables: {} })
    // A server that accepts any password has no wrong one; a wrong user name stands for it.
    const place = change(database.place).replace('postgres://postgres:wrong', 'postgres://nobody:wrong')
    const { code, errors } = await runInProcess('import', { args: ['--from', place], folder })
    await database.drop()
    expect(code).toBe(1)
    expectOneLine(errors, line)
  })
})

describe('the other commands', () => {
  const nowhere = { SQLITE_PATH: 'nowhere.db' }
  it.each([
    ['audit', [], nowhere, /^There is no database nowhere\.db/],
    ['audit', [], { SQLITE_PATH: 'other.db' }, /other\.db is no database of Tollgate/],
    ['audit', [], { SQLITE_PATH: 'notes.txt' }, /notes\.txt/],
    ['export', [], nowhere, /^There is no database nowhere\.db/],
    ['export', ['--to', 'notes.txt'], {}, 'notes.txt exists already: name another file.'],
    ['export', ['--loud'], {}, "Unknown option '--loud'. See --help.", 2],
    ['backup', [], {}, 'Say where to: tollgate backup --to <file>', 2],
    ['backup', ['--to', 'copy.db'], nowhere, /^There is no database nowhere\.db/],
    ['backup', ['--to', 'notes.txt'], {}, 'notes.txt exists already: name another file.'],
    ['backup', ['--to', 'no/such/folder.db'], {}, 'There is no folder no/such.'],
    ['backup', ['--to', 'copy.db'], { SQL_DSN: 'postgres://a@b/c' }, /pg_dump or mysqldump/],
  ] as const)(
    '%s %j %j is refused with one line',
    async (command, args, environment, line, expected: number = 1) => {
      const { code, output, errors } = await runInProcess(command, { args, folder, environment })
      expect(code).toBe(expected)
      expect(output).toBe('')
      expectOneLine(errors, line)
    },
  )
})

function expectOneLine(output: string, line: string | RegExp): void {
  const text = output.trimEnd()
  expect(text.split('\n')).toHaveLength(1)
  if (typeof line === 'string') expect(text).toBe(line)
  else expect(text).toMatch(line)
}
