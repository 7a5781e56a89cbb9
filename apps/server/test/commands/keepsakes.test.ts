import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from '@tollgate/ledger/ledger'
import { accountId } from '@tollgate/ledger/account'
import { openLedger } from '@tollgate/ledger/open-ledger'
import { systemClock } from '@tollgate/kit/clock'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runBackup } from '../../src/commands/backup/run-backup.ts'
import { type TargetFolder, makeTarget, runInProcess, silent } from './support/run.ts'
import { type SourceDatabase, rowsOf, sqliteSource } from './support/source-database.ts'
import { channelKeys, channelSetting, tokenKey } from './support/source-rows.ts'
import { CODES, DRAWINGS, TASKS, codeKey } from './support/source-trade.ts'

/** Exports, backups and audits, all made while another process keeps writing. */

let source: SourceDatabase
let target: TargetFolder
let store: Store
beforeAll(async () => {
  source = await sqliteSource({ isSmall: true })
  target = makeTarget()
  await target.import(source.place, { withLogs: true })
  store = await openStore({ sqlitePath: target.sqlitePath })
})
afterAll(async () => {
  await store.close()
  target.drop()
  await source.drop()
})

const exportedLine = z.object({ table: z.string(), row: z.record(z.string(), z.unknown()) })

async function exportTo(...args: string[]) {
  const path = join(target.folder, `export${args.length}.jsonl`)
  const ended = await runInProcess('export', { args: ['--to', path, ...args], folder: target.folder })
  expect(ended.code).toBe(0)
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  const rows = lines.slice(1, -1).map((line) => exportedLine.parse(JSON.parse(line)))
  return { path, text: lines.join('\n'), first: lines[0] ?? '', last: lines.at(-1) ?? '', rows, ended }
}

describe('an export', () => {
  it('an export has every row and no secrets', async () => {
    const { path, text, first, last, rows } = await exportTo()
    expect(JSON.parse(first)).toMatchObject({ format: 'tollgate-export', version: 1, hasSecrets: false })
    expect(JSON.parse(last)).toMatchObject({
      end: { users: source.tables['users']?.length, entry: expect.any(Number) },
    })
    expect(rows.filter(({ table }) => table === 'users')).toHaveLength(source.tables['users']?.length ?? 0)
    expect(rows.some(({ table }) => table === 'logs')).toBe(false)
    for (const secret of [
      tokenKey(1),
      codeKey(1),
      channelKeys(1),
      channelSetting(1),
      'smtp-secret-1',
      '$2b$',
      'key_sealed',
      'v1.',
    ])
      expect(text).not.toContain(secret)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('an export with secrets has them in clear text, and exact amounts', async () => {
    const { rows, ended } = await exportTo('--with-secrets', '--with-logs')
    expect(ended.errors).toContain('keep it safe')
    const find = (name: string, id: number) =>
      rows.find(({ table, row }) => table === name && row['id'] === id)?.row
    expect(find('tokens', 1)).toMatchObject({ key: tokenKey(1) })
    expect(find('tokens', 60)).toMatchObject({ key: null })
    expect(find('channels', 1)).toMatchObject({ keys: [channelKeys(1)], setting: channelSetting(1) })
    expect(find('redemptions', 1)).toMatchObject({ key: codeKey(1), quota: '500000' })
    expect(find('users', 2)?.['password_hash']).toMatch(/^\$2[aby]\$/)
    expect(rows.find(({ row }) => row['key'] === 'SMTPToken')?.row['value']).toBe('smtp-secret-1')
    expect(find('account', accountId('user', 5_003))).toMatchObject({ remaining: '9007199254740000' })
    expect(rows.filter(({ table }) => table === 'logs')).toHaveLength(rowsOf(source, 'logs'))
  })

  it('an export has codes, orders, tasks and hourly sums', async () => {
    const { last } = await exportTo('--with-logs')
    expect(JSON.parse(last)).toMatchObject({
      end: {
        redemptions: CODES + 2,
        redemption_uses: rowsOf(source, 'redemption_logs') - 1,
        top_ups: rowsOf(source, 'top_ups') - 3,
        tasks: TASKS + DRAWINGS,
        usage_hours: rowsOf(source, 'quota_data') / 3,
      },
    })
  })

  it('an export with secrets fails with one line and leaves no file when the secrets were encrypted with another key', async () => {
    const to = join(target.folder, 'closed.jsonl')
    const { code, errors } = await runInProcess('export', {
      args: ['--with-secrets', '--to', to],
      folder: target.folder,
      environment: { CRYPTO_SECRET: 'another secret than that of the gateway' },
    })
    expect(code).toBe(1)
    expect(errors).toBe(
      'The secrets in this database were sealed with another CRYPTO_SECRET: set the one that the gateway runs with.\n',
    )
    expect([to, `${to}.part`].filter((path) => existsSync(path))).toEqual([])
  })

  it('an export can go to standard output', async () => {
    const { code, output } = await runInProcess('export', { folder: target.folder })
    expect(code).toBe(0)
    expect(output.split('\n')[0]).toContain('tollgate-export')
  })
})

describe('a backup', () => {
  it('a backup is a consistent snapshot of a database that is being written, and balances', async () => {
    const ledger = await openLedger({ store, clock: systemClock })
    const over = new AbortController()
    const writing = keepCrediting(ledger, over.signal)
    const to = join(target.folder, 'copy.db')
    const place = { sqlDsn: '', sqlitePath: target.sqlitePath, isSecretGiven: false }
    const { report, secretsPath } = await runBackup({ place, to, progress: silent })
    over.abort()
    expect(await writing).toBeGreaterThan(0)
    await ledger.close()
    expect(report.findings).toEqual([])
    expect(secretsPath).toBe(join(target.folder, 'secrets.json'))
    expect(statSync(to).mode & 0o777).toBe(0o600)
    const copied = new DatabaseSync(to, { readOnly: true })
    expect(copied.prepare('select count(*) as rows from users').get()).toMatchObject({
      rows: source.tables['users']?.length,
    })
    copied.close()
    for (const suffix of ['.part', '-wal', '-journal']) expect(existsSync(to + suffix)).toBe(false)
  })

  it('a backup of a busy gateway has every call that ended before it, and says so when no gateway folds the journal', async () => {
    const owner = makeTarget()
    const sqlitePath = join(owner.folder, 'own.db')
    const place = { sqlDsn: '', sqlitePath, isSecretGiven: false }
    const own = await openStore({ sqlitePath })
    const journal = { folder: join(owner.folder, 'journal') }
    const ledger = await openLedger({ store: own, clock: systemClock, journal })
    const userAccount = accountId('user', 1)
    await ledger.credit({ key: 'gift:new:1', account: userAccount, amount: 100_000n })
    const charge = async (holdId: string) => {
      await ledger.reserve({ holdId, userAccount, amount: 10n, ceiling: 10n, priceJson: '{}' })
      await ledger.settle({ holdId, amount: 7n, flags: [], usageJson: '' })
    }
    await charge('before')
    // So some calls are always in the journal and not folded yet.
    const over = new AbortController()
    const calls = keepCharging(charge, over.signal)
    const live = await runBackup({ place, to: join(owner.folder, 'live.db'), progress: silent })
    over.abort()
    expect(await calls).toBeGreaterThan(1)
    expect(live).toMatchObject({ isFolded: true, report: { findings: [] } })
    const copied = new DatabaseSync(join(owner.folder, 'live.db'), { readOnly: true })
    expect(copied.prepare('select request_id from entry').all()).toContainEqual({ request_id: 'before' })
    copied.close()
    await own.close()
    await ledger.reserve({ holdId: 'killed', userAccount, amount: 10n, ceiling: 10n, priceJson: '{}' })
    const dead = await runBackup({ place, to: join(owner.folder, 'dead.db'), progress: silent })
    expect(dead.isFolded).toBe(false)
    await ledger.close().catch(() => undefined)
    owner.drop()
  })

  it('a backup can be audited and opened as a database of its own', async () => {
    const { code, output } = await runInProcess('backup', {
      args: ['--to', 'second.db'],
      folder: target.folder,
    })
    expect(code).toBe(0)
    expect(output).toMatch(/^second\.db: [\d.]+ MB, [\d,]+ accounts, [\d,]+ entries/)
    expect(output).toContain('CRYPTO_SECRET')
    const environment = { SQLITE_PATH: join(target.folder, 'second.db') }
    const audit = await runInProcess('audit', { folder: target.folder, environment })
    expect(audit.code).toBe(0)
    const copy = await openStore({ sqlitePath: join(target.folder, 'second.db') })
    expect(await copy.ping()).toBe(true)
    await copy.close()
  })
})

async function keepCharging(charge: (holdId: string) => Promise<void>, over: AbortSignal): Promise<number> {
  let calls = 0
  while (!over.aborted) {
    await charge(`during:${++calls}`)
    await sleep(5)
  }
  return calls
}

async function keepCrediting(ledger: Ledger, over: AbortSignal): Promise<number> {
  let credits = 0
  while (!over.aborted) {
    const account = accountId('user', 2 + (credits % 5))
    await ledger.credit({ key: `during:${++credits}`, account, amount: 1n })
  }
  return credits
}

describe('the audit', () => {
  it('the audit prints totals and rules while another process writes', async () => {
    const { code, output } = await runInProcess('audit', { folder: target.folder })
    expect(code).toBe(0)
    for (const rule of ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I8', 'I9', 'I10', 'I11'])
      expect(output).toMatch(new RegExp(`^${rule} +holds`, 'm'))
    expect(output).toContain('The books balance.')
  })

  it('the audit names violated rules and exits with 1', async () => {
    const path = join(target.folder, 'broken.db')
    await runInProcess('backup', { args: ['--to', path], folder: target.folder })
    const database = new DatabaseSync(path)
    database.exec(
      'update account set granted = granted + 7, remaining = remaining + 7 where id = 8; delete from entry where id = 40',
    )
    database.exec('pragma foreign_keys = off; delete from account where id = 12')
    database.exec("update totals set used = used + 1 where subject = 'channel:3'")
    database.close()
    const { code, output } = await runInProcess('audit', {
      folder: target.folder,
      environment: { SQLITE_PATH: path },
    })
    expect(code).toBe(1)
    expect(output).toMatch(/^I3 +BROKEN/m)
    expect(output).toMatch(/^I4 +BROKEN/m)
    expect(output).toMatch(/^I7 +BROKEN/m)
    expect(output).toContain('account 8: granted')
  })

  it('the audit does not report a corrupted file as sound', async () => {
    const path = join(target.folder, 'torn.db')
    const bytes = readFileSync(join(target.folder, 'copy.db'))
    bytes.fill(0x5a, 200_000, 260_000)
    writeFileSync(path, bytes)
    const { code, output, errors } = await runInProcess('audit', {
      folder: target.folder,
      environment: { SQLITE_PATH: path },
    })
    expect(code).toBe(1)
    expect(output + errors).not.toContain('The books balance.')
  })
})
