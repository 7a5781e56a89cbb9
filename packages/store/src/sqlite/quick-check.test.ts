import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { quickCheck } from './quick-check.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-check-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

/** A database in which the pages of one table are damaged. */
function damagedIn(table: 'logs' | 'users'): DatabaseSync {
  const path = join(directory, 'tollgate.db')
  const database = new DatabaseSync(path)
  for (const name of ['logs', 'users']) {
    database.exec(`create table ${name} (text text) strict`)
    database.exec(`insert into ${name} values ('${'x'.repeat(900)}'), ('y')`)
  }
  const page = Number(
    database.prepare('select rootpage from sqlite_schema where name = ?').get(table)?.['rootpage'],
  )
  const bytes = Number(database.prepare('pragma page_size').get()?.['page_size'])
  database.close()
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(bytes, 0x5a), 0, bytes, (page - 1) * bytes)
  closeSync(file)
  return new DatabaseSync(path)
}

it.each([
  { table: 'users', bytesMax: 1_000_000, isFound: true },
  { table: 'logs', bytesMax: 1_000_000, isFound: true },
  { table: 'users', bytesMax: 0, isFound: true },
  // In a large database the log is checked only when it is read, not at each start.
  { table: 'logs', bytesMax: 0, isFound: false },
] as const)(
  'checks $table with a limit of $bytesMax bytes for a whole check; damage found: $isFound',
  ({ table, bytesMax, isFound }) => {
    const database = damagedIn(table)
    const find = () => quickCheck(database, bytesMax)
    try {
      if (isFound) expect(find()).not.toBe('ok')
      else expect(find()).toBe('ok')
    } finally {
      database.close()
    }
  },
)
