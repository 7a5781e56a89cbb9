import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type Store } from '@tollgate/store/database/open-store'
import { insertUser } from '@tollgate/store/accounts/user-changes'
import { type TestDatabase, answeringServers } from '@tollgate/testkit/databases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAudit } from '../../src/commands/audit/run-audit.ts'
import { type ImportResult, runImport } from '../../src/commands/import/run-import.ts'
import { compareBalances, contents, differences } from './support/compare.ts'
import { makeTarget, runInProcess, cipherKey, silent } from './support/run.ts'
import { type SourceDatabase, rowsOf, sqliteSource } from './support/source-database.ts'

const servers = await answeringServers()

/** Columns that differ from run to run. */
const ENCRYPTED = ['key_sealed', 'setting', 'header_override', 'param_override', 'value']
const OWN = ['id', ...ENCRYPTED, 'updated_ms', 'created_ms', 'up_to_ms']

describe.each(servers)('an import into $label', (server) => {
  let source: SourceDatabase
  let database: TestDatabase
  let folder: string
  let result: ImportResult
  const run = (isDryRun: boolean) =>
    runImport({
      from: source.place,
      withLogs: true,
      isDryRun,
      progress: silent,
      place: { sqlDsn: database.dsn, sqlitePath: join(folder, 'tollgate.db'), cipherKey },
    })
  const look = async <T>(question: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openStore({ dsn: database.dsn })
    try {
      return await question(store)
    } finally {
      await store.close()
    }
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-into-'))
    source = await sqliteSource({ isSmall: true })
    database = await server.createDatabase()
    result = await run(false)
  })
  afterAll(async () => {
    await database.drop()
    await source.drop()
    rmSync(folder, { recursive: true })
  })

  it('every balance equals the source, and the ledger balances', async () => {
    expect(result.audit?.findings).toEqual([])
    expect(await look((store) => compareBalances(store, source.tables))).toBeGreaterThan(1_000)
    expect(result.report.tables.get('logs')?.written).toBe(rowsOf(source, 'logs'))
  })

  it('the result equals an import into SQLite', async () => {
    const embedded = makeTarget()
    await embedded.import(source.place, { withLogs: true })
    const expected = await embedded.open((store) => contents(store, { without: OWN }))
    embedded.drop()
    const found = await look((store) => contents(store, { without: OWN }))
    expect(differences(expected, found)).toEqual([])
  })

  it('a second import and a dry run change nothing', async () => {
    const before = await look(contents)
    expect((await run(true)).report.hasWritten).toBe(false)
    expect((await run(false)).report.hasWritten).toBe(false)
    expect(differences(before, await look(contents))).toEqual([])
  })

  it('the next user gets an unused id', async () => {
    const id = await look(({ db }) =>
      insertUser(db, { username: 'after', password_hash: '', display_name: '', role: 1, created_ms: 0 }),
    )
    expect(id).toBeGreaterThan(6_002)
  })

  it('audit and export reach the imported database by its DSN', async () => {
    const audit = await runAudit({ sqlDsn: database.dsn, sqlitePath: '' })
    expect(audit.report.findings).toEqual([])
    expect(audit.totals.get('user')?.accounts).toBe(source.tables['users']?.length)
    const environment = { SQL_DSN: database.dsn }
    const { code, output } = await runInProcess('export', { args: ['--with-logs'], folder, environment })
    expect(code).toBe(0)
    expect(JSON.parse(output.trim().split('\n').at(-1) ?? '')).toMatchObject({
      end: { logs: rowsOf(source, 'logs') },
    })
  })
})
