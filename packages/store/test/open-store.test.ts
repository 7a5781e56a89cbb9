import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoreError } from '../src/database/errors.ts'
import { type Store, openStore } from '../src/database/open-store.ts'

let directory = ''
const opened: Store[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-store-'))
})
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  rmSync(directory, { recursive: true })
})

async function open(sqlitePath: string, more: Partial<Parameters<typeof openStore>[0]> = {}): Promise<Store> {
  const store = await openStore({ sqlitePath, ...more })
  opened.push(store)
  return store
}

const setOption = (store: Pick<Store, 'db'>, key: string, value = 'v') =>
  store.db.insertInto('options').values({ key, value, version: 1, updated_ms: 1, updated_by: 0 }).execute()
const optionKeys = async (store: Pick<Store, 'db'>) =>
  (await store.db.selectFrom('options').select('key').orderBy('key').execute()).map((row) => row.key)

describe('opening a database', () => {
  it('creates a file that only its owner can read, and a missing directory', async () => {
    const path = join(directory, 'data', 'tollgate.db')
    const store = await open(path)
    await setOption(store, 'a')
    for (const suffix of ['', '-wal', '-shm', '.lock'])
      expect(statSync(path + suffix).mode & 0o777).toBe(0o600)
    expect(await store.ping()).toBe(true)
  })

  it('keeps its data and migrates only once', async () => {
    const path = join(directory, 'tollgate.db')
    const first = await openStore({ sqlitePath: path })
    await setOption(first, 'kept')
    await first.close()
    expect(await optionKeys(await open(path))).toEqual(['kept'])
  })

  it.each([
    ['a directory', 'is_directory', (path: string) => spawnSync('mkdir', [path])],
    ['a text file', 'not_a_database', (path: string) => writeFileSync(path, 'PORT=3000\n')],
    ['a database of another program', 'foreign_database', (path: string) => createForeign(path)],
    ['a damaged database', 'damaged', (path: string) => writeFileSync(path, damaged())],
  ])('rejects %s with a message that names the path', async (_what, reason, prepare) => {
    const path = join(directory, 'file.db')
    prepare(path)
    const refused = openStore({ sqlitePath: path })
    await expect(refused).rejects.toMatchObject({ name: 'StoreOpenError', reason })
    await expect(refused).rejects.toThrow(path)
  })

  it('rejects a file without write permission', async ({ skip }) => {
    const path = join(directory, 'file.db')
    await (await openStore({ sqlitePath: path })).close()
    chmodSync(path, 0o400)
    const isRoot = process.getuid?.() === 0
    // Root can write regardless of file permissions.
    if (isRoot) for (const each of [directory, path, `${path}.lock`]) chownSync(each, NOBODY, NOBODY)
    const { stdout, stderr } = openInOtherProcess(path, isRoot ? { uid: NOBODY, gid: NOBODY } : {})
    skip(stdout === '' && stderr.includes('open-store.ts'), 'nobody else may read the sources here')
    expect(stdout.trim()).toBe(
      `not_writable The database ${path} cannot be written (EACCES): check its file rights.`,
    )
  })

  it('rejects a schema newer than the program', async () => {
    const path = join(directory, 'tollgate.db')
    const store = await openStore({ sqlitePath: path })
    await sql`insert into schema_migration values (9999, 'of the future', 0)`.execute(store.db)
    await store.close()
    await expect(openStore({ sqlitePath: path })).rejects.toMatchObject({ reason: 'newer_schema' })
  })

  it('rejects a file that another process has open, until that process has closed it', async () => {
    const path = join(directory, 'tollgate.db')
    await open(path)
    const { stdout } = openInOtherProcess(path)
    expect(stdout).toContain(`in_use The database ${path} is in use by process ${process.pid}.`)
    await opened.pop()?.close()
    expect(openInOtherProcess(path).stdout).toContain('opened')
  })

  it('rejects a second opening in the same process', async () => {
    const path = join(directory, 'tollgate.db')
    await open(path)
    await expect(openStore({ sqlitePath: path })).rejects.toMatchObject({ reason: 'in_use' })
  })
})

function createForeign(path: string): void {
  const database = new DatabaseSync(path)
  database.exec('create table songs (title text)')
  database.close()
}

/** A file with the header of a SQLite database followed by garbage. */
function damaged(): Buffer {
  return Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(8_192, 0x5a)])
}

/** A user id that owns no files. */
const NOBODY = 65_534

function openInOtherProcess(
  path: string,
  account: { uid?: number; gid?: number } = {},
): { stdout: string; stderr: string } {
  const module = fileURLToPath(new URL('../src/database/open-store.ts', import.meta.url))
  const script = `
    const { openStore } = await import(${JSON.stringify(module)})
    await openStore({ sqlitePath: ${JSON.stringify(path)} }).then(
      async (store) => { console.log('opened'); await store.close() },
      (error) => console.log(error.reason, error.message),
    )`
  const file = join(directory, 'other-process.mjs')
  writeFileSync(file, script)
  const { error, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', ...account })
  // Below a private folder, such as that of root, another account cannot even start Node.
  return error ? { stdout: '', stderr: `${error.message}: ${module}` } : { stdout, stderr }
}

describe.each([
  ['in memory', () => ':memory:'],
  ['in a file', () => join(directory, 'tollgate.db')],
])('queries %s', (_name, path) => {
  it('money is returned as bigint and every other integer as a number', async () => {
    const store = await open(path())
    const huge = 2n ** 60n + 1n
    await sql`insert into account values (4, 'user', 1, ${huge}, ${huge}, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)`.execute(
      store.db,
    )
    const row = await store.db.selectFrom('account').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ id: 4, owner_id: 1, granted: huge, remaining: huge, debt: 0n, version: 1 })
    const summed = await sql`select sum(granted) as quota, count(*) as rows from account`.execute(store.db)
    expect(summed.rows).toEqual([{ quota: huge, rows: 1 }])
    await expect(sql`select granted + 0 as other from account`.execute(store.db)).rejects.toThrow(
      'no money column',
    )
  })

  it('SQL computes with integer parameters as integers', async () => {
    const store = await open(path())
    await sql`insert into account values (4, 'user', 1, 5, 5, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)`.execute(
      store.db,
    )
    const huge = 2n ** 53n + 1n
    const add = { granted: sql<bigint>`granted + ${huge}`, remaining: sql<bigint>`remaining + ${huge}` }
    await store.db.updateTable('account').set(add).execute()
    expect(await store.db.selectFrom('account').select('granted').executeTakeFirst()).toEqual({
      granted: huge + 5n,
    })
  })

  it('an insert returns its id, and an update the number of changed rows', async () => {
    const store = await open(path())
    const work = { cause: 'a cause', kind: 'notice', payload: '{}', reason: '' }
    const values = { ...work, state: 'pending', attempts: 0, due_ms: 1, created_ms: 1 } as const
    expect((await store.db.insertInto('outbox').values(values).executeTakeFirstOrThrow()).insertId).toBe(1n)
    const changed = await store.db.updateTable('outbox').set({ state: 'done' }).executeTakeFirstOrThrow()
    expect(changed.numUpdatedRows).toBe(1n)
    const removed = await store.db.deleteFrom('outbox').returning('id').execute()
    expect(removed).toEqual([{ id: 1 }])
  })

  it('a unique violation is distinguished from other errors', async () => {
    const store = await open(path())
    await setOption(store, 'a')
    const twice: unknown = await setOption(store, 'a').catch((error: unknown) => error)
    expect(store.traits.isUniqueViolation(twice)).toBe(true)
    const other: unknown = await sql`insert into nowhere values (1)`
      .execute(store.db)
      .catch((error: unknown) => error)
    expect(other).toBeInstanceOf(StoreError)
    expect(store.traits.isUniqueViolation(other)).toBe(false)
  })

  it('a transaction is committed or rolled back as a whole', async () => {
    const store = await open(path())
    await store.db.transaction().execute(async (transaction) => {
      await setOption({ db: transaction }, 'a')
      expect(await optionKeys({ db: transaction })).toEqual(['a'])
    })
    const failed = store.db.transaction().execute(async (transaction) => {
      await setOption({ db: transaction }, 'b')
      throw new Error('changed my mind')
    })
    await expect(failed).rejects.toThrow('changed my mind')
    expect(await optionKeys(store)).toEqual(['a'])
  })

  it('a transaction keeps other writers waiting', async () => {
    const store = await open(path())
    const order: string[] = []
    const transaction = store.db.transaction().execute(async (inside) => {
      await setOption({ db: inside }, 'inside')
      await new Promise((resolve) => setTimeout(resolve, 20))
      order.push('transaction')
      throw new Error('rolled back')
    })
    const outside = setOption(store, 'outside').then(() => order.push('outside'))
    await Promise.allSettled([transaction, outside])
    expect(order).toEqual(['transaction', 'outside'])
    expect(await optionKeys(store)).toEqual(['outside'])
  })
})

describe('a broken connection', () => {
  it('the store stops writing at the first I/O error and reports it once', async () => {
    let isBroken = false
    const reports: StoreError[] = []
    const breakIt = (): void => {
      if (isBroken) throw new StoreError('fatal', 'disk I/O error', { code: 10 })
    }
    const store = await open(join(directory, 'tollgate.db'), {
      inline: { before: breakIt },
      onFatal: (error) => reports.push(error),
    })
    isBroken = true
    await expect(setOption(store, 'a')).rejects.toMatchObject({ kind: 'fatal' })
    isBroken = false
    await expect(setOption(store, 'b')).rejects.toMatchObject({ kind: 'fatal' })
    expect(store.isWritable).toBe(false)
    expect(await store.ping()).toBe(false)
    expect(reports).toHaveLength(1)
    expect(await optionKeys(store)).toEqual([])
  })
})
