import { copyFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStore } from '@tollgate/store/database/open-store'
import { readSchemaState } from '@tollgate/store/database/schema-state'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runRestore } from '../../src/commands/restore/run-restore.ts'
import { explain } from '../../src/commands/run-command.ts'
import { runVerify } from '../../src/commands/verify/run-verify.ts'
import { type TargetFolder, makeTarget, runInProcess, silent } from './support/run.ts'
import { type SourceDatabase, sqliteSource } from './support/source-database.ts'

/** A backup of an imported site, which is verified and restored in other folders. */

let source: SourceDatabase
let site: TargetFolder
let backup: string
const folders: TargetFolder[] = []
beforeAll(async () => {
  source = await sqliteSource({ isSmall: true })
  site = newFolder()
  await site.import(source.place)
  backup = join(site.folder, 'backup.db')
  const { code } = await runInProcess('backup', { args: ['--to', backup], folder: site.folder })
  expect(code).toBe(0)
})
afterAll(async () => {
  for (const folder of folders) folder.drop()
  await source.drop()
})

function newFolder(): TargetFolder {
  const folder = makeTarget()
  folders.push(folder)
  return folder
}

function damaged(name: string, damage: (bytes: Buffer) => Buffer): string {
  const path = join(site.folder, name)
  writeFileSync(path, damage(readFileSync(backup)))
  return path
}

function changed(name: string, statements: string): string {
  const path = join(site.folder, name)
  copyFileSync(backup, path)
  const database = new DatabaseSync(path)
  database.exec(statements)
  database.close()
  return path
}

/** Restores in this process, replacing what is there. */
function restoreTo(sqlitePath: string, from: string) {
  const place = { sqlDsn: '', sqlitePath, isSecretGiven: false }
  return runRestore({ place, from, secrets: undefined, mayReplace: true, progress: silent })
}

const UNBALANCED = 'update account set granted = granted + 7, remaining = remaining + 7 where id = 8'
const OTHER_SECRET = { CRYPTO_SECRET: 'another secret than that of the gateway' }

describe('tollgate restore', () => {
  it('a restored database has every account, and its audit agrees with the backup', async () => {
    const { folder, sqlitePath } = newFolder()
    const { code, output } = await runInProcess('restore', { args: ['--from', backup], folder })
    expect(code).toBe(0)
    expect(output).toContain(`${sqlitePath} is restored from ${backup}`)
    const audits = [folder, site.folder].map((each) =>
      runInProcess('audit', { args: ['--json'], folder: each }),
    )
    const [restored, original] = (await Promise.all(audits)).map((audit) => JSON.parse(audit.output).totals)
    expect(restored).toEqual(original)
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([])
  })

  it('the database that is there is kept under another name, and only on request', async () => {
    const { folder, sqlitePath } = newFolder()
    const old = await openStore({ sqlitePath })
    await old.db.insertInto('watermarks').values({ name: 'of the old one', position: 7 }).execute()
    await old.close()
    const refused = await runInProcess('restore', { args: ['--from', backup], folder })
    expect(refused).toMatchObject({
      code: 1,
      errors: `${sqlitePath} exists already: add --replace to put the backup in its place.\n`,
    })
    const args = ['--from', backup, '--replace', '--json']
    const { code, output } = await runInProcess('restore', { args, folder })
    expect(code).toBe(0)
    const kept = new DatabaseSync(JSON.parse(output).kept, { readOnly: true })
    const row = kept.prepare("select position from watermarks where name = 'of the old one'").get()
    kept.close()
    expect(row?.['position']).toBe(7)
    expect((await runInProcess('audit', { folder })).code).toBe(0)
  })

  it('a database that a gateway has open is not replaced', async () => {
    const { sqlitePath } = newFolder()
    const store = await openStore({ sqlitePath })
    await expect(restoreTo(sqlitePath, backup)).rejects.toThrow(/is in use by process \d+/)
    expect(await store.ping()).toBe(true)
    await store.close()
  })

  it.each([
    ['a backup that was cut off', () => damaged('half.db', (bytes) => bytes.subarray(0, bytes.length / 2))],
    [
      'a file of another kind',
      () => damaged('text.db', () => Buffer.from('not a database at all'.repeat(9))),
    ],
    ['a database of another program', () => changed('foreign.db', 'drop table schema_migration')],
    [
      'a backup of a newer version',
      () => changed('newer.db', "insert into schema_migration values (999, 'x', 1)"),
    ],
    ['a backup that does not balance', () => changed('wrong.db', UNBALANCED)],
  ])('%s is refused with one line and changes nothing', async (_what, make) => {
    const { folder, sqlitePath } = newFolder()
    const error: unknown = await restoreTo(sqlitePath, make()).catch((thrown: unknown) => thrown)
    expect(explain(error)).toMatch(/^(?!Unexpected error)\S[^\n]*\.$/)
    expect(readdirSync(folder).filter((name) => !name.endsWith('.lock'))).toEqual([])
  })

  it('a backup whose secrets were encrypted with another key is refused', async () => {
    const { folder, sqlitePath } = newFolder()
    const environment = OTHER_SECRET
    const { code, errors } = await runInProcess('restore', { args: ['--from', backup], folder, environment })
    expect(code).toBe(1)
    expect(errors).toContain('CRYPTO_SECRET is not the one')
    expect(existsSync(sqlitePath)).toBe(false)
  })
})

describe('tollgate verify', () => {
  it('a sound backup is whole, and its secrets open with the right key only', async () => {
    const args = ['--file', backup]
    const folder = site.folder
    const { code, output } = await runInProcess('verify', { args, folder })
    expect(code).toBe(0)
    expect(output).toContain('Its secrets open with those of this environment.')
    expect(output).toContain('It is whole.')
    const other = await runInProcess('verify', { args, folder, environment: OTHER_SECRET })
    expect(other.code).toBe(1)
    expect(other.output).toContain('Its secrets do not open')
  })

  it('a wrong balance is found', async () => {
    const wrong = changed('unbalanced.db', UNBALANCED)
    const own = { sqlDsn: '', sqlitePath: site.sqlitePath, isSecretGiven: false }
    const { audit } = await runVerify({ sqlDsn: '', sqlitePath: wrong }, own)
    expect(audit.report.findings).not.toEqual([])
  })
})

describe('tollgate migrate', () => {
  it('a dry run lists the steps of an older database without applying them', async () => {
    const path = changed(
      'older.db',
      'delete from schema_migration where number = (select max(number) from schema_migration)',
    )
    const environment = { SQLITE_PATH: path }
    const args = ['--dry-run', '--json']
    const { code, output } = await runInProcess('migrate', { args, folder: site.folder, environment })
    expect(code).toBe(0)
    expect(JSON.parse(output)).toMatchObject({ isDryRun: true, steps: [{ name: expect.any(String) }] })
    expect((await readSchemaState({ sqlitePath: path })).pending).toHaveLength(1)
  })
})

function setUp(folder: string, password: string) {
  return runInProcess('setup', { args: ['--username', 'root'], folder, input: password })
}

describe('tollgate setup', () => {
  it('the super admin is created once, with the initial quota', async () => {
    const { folder } = newFolder()
    const short = await setUp(folder, 'short\n')
    expect(short.code).toBe(1)
    expect(short.errors).toMatch(/^[^\n]*password[^\n]*\n$/i)
    expect((await setUp(folder, 'a long password 1\n')).code).toBe(0)
    expect(await setUp(folder, 'a long password 1\n')).toMatchObject({
      code: 1,
      errors: 'The setup is already done\n',
    })
    const { output } = await runInProcess('audit', { args: ['--json'], folder })
    expect(JSON.parse(output).totals.users).toMatchObject({ accounts: 1, granted: '100000000' })
  })
})
