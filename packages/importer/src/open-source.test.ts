import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSource } from './open-source.ts'
import { identifySource } from './source-id.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-open-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function make(name: string): string {
  const path = join(folder, name)
  const database = new DatabaseSync(path)
  database.exec(
    "create table users (id integer primary key, username text); insert into users values (1, 'a'), (5, null)",
  )
  database.close()
  return path
}

describe('a source', () => {
  it.each(['plain.db', 'odd@tcp(name).db', 'odd@name'])('opens the file %s', async (name) => {
    const source = await openSource(make(name))
    expect([
      await source.count('users'),
      await source.largestId('users'),
      await source.count('logs'),
    ]).toEqual([2, 5, 0])
    await source.close()
  })

  it('accepts a file path in the spellings of new-api and its forks', async () => {
    const path = make('options.db')
    for (const place of [`${path}?_busy_timeout=5000`, `file:${path}`, `sqlite://${path}`]) {
      const source = await openSource(place)
      expect(source.name).toBe(path)
      await source.close()
    }
  })

  it('reads a table in pages, each row once, starting after a given id', async () => {
    const source = await openSource(make('pages.db'))
    const ids: unknown[] = []
    for await (const rows of source.pages('users', { rowsMax: 1 })) ids.push(rows.map((row) => row['id']))
    expect(ids).toEqual([[1n], [5n]])
    for await (const rows of source.pages('users', { after: 1 }))
      expect(rows).toEqual([{ id: 5n, username: null }])
    await source.close()
  })

  it('reads a snapshot while another program writes the file', async () => {
    const path = make('live.db')
    const writer = new DatabaseSync(path)
    writer.exec('pragma journal_mode = wal')
    const source = await openSource(path)
    writer.exec("insert into users values (9, 'later')")
    expect(await source.count('users')).toBe(2)
    await source.close()
    writer.close()
  })

  it('a copy of the database has the same id, and another installation has another id', async () => {
    const [one, two] = [await openSource(make('one.db')), await openSource(make('two.db'))]
    expect(await identifySource(one)).toBe(await identifySource(two))
    await Promise.all([one.close(), two.close()])
    const other = make('other.db')
    const database = new DatabaseSync(other)
    database.exec(
      "create table tokens (id integer primary key, key text); insert into tokens values (1, 'abc')",
    )
    database.close()
    const third = await openSource(other)
    expect(await identifySource(third)).not.toBe(
      await identifySource(await openSource(join(folder, 'one.db'))),
    )
    await third.close()
  })

  it.each(['nothing.db', 'folder/', 'root:pw@nowhere'])(
    'rejects a file that does not exist: %s',
    async (place) => {
      await expect(openSource(place)).rejects.toThrow(/^There is no file/)
    },
  )

  it('rejects a file that is not a SQLite database', async () => {
    const path = join(folder, 'text')
    writeFileSync(path, 'hello')
    await expect(openSource(path)).rejects.toThrow('is not a SQLite database')
  })
})
