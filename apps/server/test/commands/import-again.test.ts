import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrations } from '@tollgate/store/migrations/index'
import { confirmInstallation, readInstallation } from '@tollgate/store/operations/installation'
import { openStore } from '@tollgate/store/database/open-store'
import { sqliteTraits } from '@tollgate/store/database/traits'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Progress } from '../../src/commands/progress.ts'
import { compareBalances, contents, differences } from './support/compare.ts'
import { type TargetFolder, makeTarget, silent } from './support/run.ts'
import { type SourceDatabase, ordinaryTables, rowsOf, sqliteSource } from './support/source-database.ts'

let source: SourceDatabase
beforeAll(async () => {
  source = await sqliteSource({ isSmall: true })
})
afterAll(() => source.drop())

describe('a repeated or interrupted import', () => {
  let target: TargetFolder
  beforeEach(() => {
    target = makeTarget()
  })
  afterEach(() => target.drop())

  it('a dry run writes nothing at all', async () => {
    const { report, audit } = await target.import(source.place, { isDryRun: true, withLogs: true })
    expect(audit).toBeUndefined()
    expect(report.tables.get('users')?.written).toBe(source.tables['users']?.length)
    expect(existsSync(target.sqlitePath)).toBe(false)
    expect(existsSync(join(target.folder, 'secrets.json'))).toBe(false)
    await target.import(source.place)
    const before = await target.open(contents)
    await target.import(source.place, { isDryRun: true, withLogs: true })
    expect(differences(before, await target.open(contents))).toEqual([])
  })

  it('only the first import makes the database a copy, which a person confirms once', async () => {
    await target.import(source.place)
    await target.open(async ({ db }) => {
      expect(await readInstallation(db)).toMatchObject({ cause: 'imported' })
      await confirmInstallation(db, 'ours')
    })
    await target.import(source.place, { withLogs: true })
    await target.open(async ({ db }) => {
      expect(await readInstallation(db)).toMatchObject({ id: 'ours', unconfirmed_ms: 0 })
    })
  })

  it.each(['users', 'tokens', 'channels', 'logs'])(
    'an import interrupted in %s resumes where it stopped',
    async (step) => {
      await expect(target.import(source.place, { withLogs: true, progress: breaking(step) })).rejects.toThrow(
        'cut off',
      )
      const { audit, report } = await target.import(source.place, { withLogs: true })
      expect(audit?.findings).toEqual([])
      expect(report.tables.get(step)?.known).toBeGreaterThan(0)
      await target.open(async (store) => {
        await compareBalances(store, source.tables)
        expect(await store.db.selectFrom('logs').select('id').execute()).toHaveLength(rowsOf(source, 'logs'))
      })
    },
  )

  it('an import interrupted between a balance and its user resumes as well', async () => {
    await target.open(async () => undefined)
    const block =
      "create trigger block before insert on users when new.id = 550 begin select raise(abort, 'cut off'); end"
    const database = new DatabaseSync(target.sqlitePath)
    database.exec(block)
    database.close()
    await expect(target.import(source.place)).rejects.toThrow('cut off')
    const again = new DatabaseSync(target.sqlitePath)
    again.exec('drop trigger block')
    again.close()
    const { audit } = await target.import(source.place)
    expect(audit?.findings).toEqual([])
    expect(await target.open((store) => compareBalances(store, source.tables))).toBeGreaterThan(1_000)
  })

  it('a later import of the usage log leaves rows written since then in place', async () => {
    await target.import(source.place)
    const row = {
      user_id: 1,
      created_at: 2_000_000_000,
      type: 2,
      content: '',
      username: '',
      token_id: 0,
      token_name: '',
    }
    const rest = {
      model_name: '',
      quota: 0n,
      prompt_tokens: 0,
      completion_tokens: 0,
      use_time: 0,
      duration_ms: 0,
      first_byte_ms: 0,
    }
    const end = { is_stream: 0, channel_id: 0, group_name: '', ip: '', other: '' } as const
    await target.open(({ db }) =>
      db
        .insertInto('logs')
        .values({ request_id: 'own', ...row, ...rest, ...end })
        .execute(),
    )
    await target.import(source.place, { withLogs: true })
    const newest = await target.open(({ db }) =>
      db.selectFrom('logs').select('request_id').orderBy('id', 'desc').executeTakeFirst(),
    )
    expect(newest?.request_id).toBe('own')
  })

  it('a second import takes new users, tokens and log rows, and reports balances that changed in the source', async () => {
    const growing = await sqliteSource({ isSmall: true })
    await target.import(growing.place, { withLogs: true })
    await growing.run(
      `insert into users (id, username, password, quota, aff_code) values (9001, 'late', '', 12, 'late');
       insert into logs (id, user_id, created_at, type, content) values (99999, 9001, 5, 2, 'late');
       update users set quota = quota + 1 where id = 3`,
    )
    const { report, audit } = await target.import(growing.place, { withLogs: true })
    await growing.drop()
    expect(report.tables.get('users')?.written).toBe(1)
    expect(report.tables.get('logs')?.written).toBe(1)
    expect(report.notes.get('row-changed')?.examples.map(({ id }) => id)).toEqual([3])
    expect(audit?.findings).toEqual([])
  })

  it('an import is refused and changes nothing while another user has one of its ids or names', async () => {
    await target.open(({ db }) =>
      db
        .insertInto('users')
        .values(stranger({ id: 9_999, username_key: 'user7' }))
        .execute(),
    )
    const before = await target.open(contents)
    await expect(target.import(source.place)).rejects.toThrow('user 9999 (stranger) is here already')
    expect(differences(before, await target.open(contents))).toEqual([])
  })

  it('an import first migrates a target with an older schema, and a dry run refuses it', async () => {
    await target.open(async () => undefined)
    rebuildAtStep(target.sqlitePath, 6)
    await expect(target.import(source.place, { isDryRun: true })).rejects.toThrow(
      /has schema 6, this version knows \d+: start the gateway once/,
    )
    const { audit, report } = await target.import(source.place)
    expect(audit?.findings).toEqual([])
    expect(report.tables.get('redemptions')?.written).toBeGreaterThan(0)
  })

  it('an import is refused while the gateway has the database open', async () => {
    const store = await openStore({ sqlitePath: target.sqlitePath })
    await expect(target.import(source.place)).rejects.toThrow(/is in use by process \d+/)
    await store.close()
  })

  it('an import reads an older release whose tables lack columns', async () => {
    const older = await sqliteSource({
      tables: await ordinaryTables('mysql'),
      isSmall: true,
      leftOut: {
        users: ['linux_do_id', 'setting', 'last_check_in_time', 'oidc_id', 'aff_history', 'aff_quota'],
        tokens: ['allow_ips', 'group', 'deleted_at', 'model_limits', 'model_limits_enabled'],
        channels: ['tag', 'setting', 'param_override', 'model_prefix', 'auto_ban', 'open_ai_organization'],
        logs: ['group', 'other', 'is_stream', 'use_time'],
      },
    })
    await older.run('drop table setups; drop table abilities; drop table tasks; drop table quota_data')
    const { audit, report } = await target.import(older.place, { withLogs: true })
    await older.drop()
    expect(audit?.findings).toEqual([])
    expect(report.tables.get('logs')?.written).toBe(rowsOf(source, 'logs'))
    const channel = await target.open(({ db }) =>
      db.selectFrom('channels').selectAll().where('id', '=', 2).executeTakeFirst(),
    )
    expect(channel).toMatchObject({ auto_ban: 1, tag: '', setting: '' })
    // In sources without check-ins, type 5 means an error (imported as type 8).
    const types = await target.open(({ db }) =>
      db.selectFrom('logs').select('type').distinct().orderBy('type').execute(),
    )
    expect(types.map(({ type }) => type)).toEqual([2, 8])
  })

  it('an import also reads log rows from a separate log database', async () => {
    const logs = rowsOf(source, 'logs')
    const split = await sqliteSource({ tables: { logs: source.tables['logs']?.slice(0, 10) ?? [] } })
    const { report } = await target.import(source.place, { logsFrom: split.place, withLogs: true })
    await split.drop()
    expect(report.tables.get('logs')).toMatchObject({ read: logs + 10, written: logs + 10 })
  })
})

/** Fails at the second batch of a step. */
function breaking(step: string): Progress {
  let current = ''
  let batches = 0
  return {
    ...silent,
    start: (what) => {
      current = what
      batches = 0
    },
    advance: () => {
      const isLast = step === 'channels' || ++batches === 2
      // The first pass only reads, so the failure comes in the second one.
      if (current === step && isLast && ++seen > 1) throw new Error('cut off')
    },
  }
}
let seen = 0
beforeEach(() => {
  seen = 0
})

function stranger({ id, username_key }: { id: number; username_key: string }) {
  const texts = {
    password_hash: '',
    display_name: '',
    email: '',
    github_id: '',
    oidc_id: '',
    wechat_id: '',
    telegram_id: '',
  }
  const rest = {
    linux_do_id: '',
    access_token_hash: null,
    group_name: 'default',
    aff_code: 'zzzz',
    aff_count: 0,
    inviter_id: 0,
  }
  const end = { setting: '', last_check_in_ms: null, created_ms: 0, deleted_ms: null, role: 1, status: 1 }
  return { id, username: 'stranger', username_key, ...texts, ...rest, ...end }
}

/** Creates an empty database with the schema after migration `last`. */
function rebuildAtStep(path: string, last: number): void {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  const tables = database.prepare(
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite%'",
  )
  for (const { name } of tables.all()) {
    if (name === 'schema_migration') database.exec(`delete from schema_migration where number > ${last}`)
    else database.exec(`drop table "${String(name)}"`)
  }
  for (const migration of migrations)
    if (migration.number <= last)
      for (const statement of migration.statements(sqliteTraits)) database.exec(statement)
  database.close()
}
