import { readFileSync, statSync } from 'node:fs'
import { sha256Hex } from '@tollgate/kit/ids'
import { openCipher } from '@tollgate/kit/cipher'
import { decryptChannelSecrets } from '@tollgate/store/channels/secrets'
import { channelKeyContext } from '@tollgate/store/channels/channels'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ImportResult } from '../../src/commands/import/run-import.ts'
import { optionCipherContext } from '../../src/snapshots/site-settings.ts'
import { openKey } from '../../src/services/token/key.ts'
import { compareBalances, contents, differences } from './support/compare.ts'
import { type TargetFolder, makeTarget, cipherKey } from './support/run.ts'
import { type SourceDatabase, sqliteSource } from './support/source-database.ts'
import { ODD_CHANNELS, ODD_TOKENS, ODD_USERS } from './support/source-oddities.ts'
import { ODD_CODES } from './support/source-trade.ts'
import { CHANNELS, LOGS, TOKENS, channelKeys, channelSetting, tokenKey } from './support/source-rows.ts'

const sideRow = z.object({ table: z.string(), row: z.record(z.string(), z.unknown()) })

let source: SourceDatabase
beforeAll(async () => {
  source = await sqliteSource()
})
afterAll(() => source.drop())

const cipher = openCipher(cipherKey())

describe('an import from SQLite', () => {
  let target: TargetFolder
  let result: ImportResult
  beforeAll(async () => {
    target = makeTarget()
    result = await target.import(source.place, { withLogs: true })
  })
  afterAll(() => target.drop())

  it('at least 10,000 rows are imported, and every balance equals the source', async () => {
    const rows = [...result.report.tables.values()].reduce((sum, { read }) => sum + read, 0)
    const compared = await target.open((store) => compareBalances(store, source.tables))
    console.log(`${rows} rows imported, ${compared} balances compared, 0 differences`)
    expect(rows).toBeGreaterThanOrEqual(10_000)
    expect(compared).toBeGreaterThanOrEqual(5_000)
  })

  it('the audit finds no fault in the imported ledger', () => {
    expect(result.audit?.findings).toEqual([])
    expect(result.audit?.entries).toBeGreaterThan(10_000)
  })

  it('ids, names, password hashes, bindings and settings are kept', async () => {
    const users = await target.open(({ db }) => db.selectFrom('users').selectAll().orderBy('id').execute())
    expect(users).toHaveLength(source.tables['users']?.length ?? 0)
    expect(users[0]).toMatchObject({ id: 1, username: 'root', role: 100, status: 1, aff_code: '' })
    const original = source.tables['users']?.[98]
    expect(users[98]).toMatchObject({
      id: 99,
      display_name: '用户 99',
      password_hash: original?.['password'],
      email: 'user99@example.com',
      github_id: 'octo99',
      inviter_id: 9,
      last_check_in_ms: Date.parse('2025-01-02T03:04:05Z'),
    })
    expect(users[100]).toMatchObject({
      id: 101,
      username_key: 'user101',
      deleted_ms: Date.parse('2024-05-01T12:34:56Z'),
    })
    expect(users[6]?.access_token_hash).toBe(sha256Hex(String(source.tables['users']?.[6]?.['access_token'])))
    const calls = await target.open(({ db }) =>
      db.selectFrom('totals').select('calls').where('subject', '=', 'user:9').executeTakeFirst(),
    )
    expect(calls?.calls).toBe(source.tables['users']?.[8]?.['request_count'])
  })

  it('a value that only one user may have stays with the first active one', async () => {
    const odd = await target.open(({ db }) =>
      db.selectFrom('users').selectAll().where('id', '>', 5_000).orderBy('id').execute(),
    )
    const byId = new Map(odd.map((user) => [user.id, user]))
    expect(byId.get(ODD_USERS.sameEmail)?.email).toBe('shared@example.com')
    expect(byId.get(ODD_USERS.sameEmailLater)?.email).toBe('')
    expect(byId.get(ODD_USERS.deletedWithEmail)?.email).toBe('')
    expect(byId.get(6_001)?.username).toBe('Twin')
    expect(byId.get(6_002)?.username).toBe('tWIN-6002')
    expect(byId.get(ODD_USERS.strangeRole)).toMatchObject({ role: 1, status: 2 })
    expect(byId.get(ODD_USERS.brokenSetting)?.setting).toBe('')
    expect(byId.get(ODD_USERS.nulls)).toMatchObject({
      group_name: 'default',
      setting: '',
      email: '',
      role: 1,
    })
  })

  it('negative balances are imported as debts', async () => {
    const [owes, owesMore] = await target.open(({ db }) =>
      db
        .selectFrom('account')
        .selectAll()
        .where('kind', '=', 'user')
        .where('owner_id', 'in', [ODD_USERS.owes, ODD_USERS.owesMoreThanUsed])
        .orderBy('owner_id')
        .execute(),
    )
    expect(owes).toMatchObject({ granted: 4_300n, remaining: 0n, used: 5_000n, debt: 700n })
    expect(owesMore).toMatchObject({ granted: -8_900n, remaining: 0n, used: 100n, debt: 9_000n })
  })

  it('keys of tokens are hashed and encrypted; of deleted tokens only the hash is kept', async () => {
    const tokens = await target.open(({ db }) => db.selectFrom('tokens').selectAll().orderBy('id').execute())
    const [first] = tokens
    expect(first && openKey(first, cipher)).toBe(tokenKey(1))
    expect(tokens.find(({ id }) => id === 60)).toMatchObject({
      key_sealed: '',
      key_hash: sha256Hex(tokenKey(60)),
    })
    expect(tokens.find(({ id }) => id === ODD_TOKENS.short)).toMatchObject({
      key_hash: sha256Hex('customKey'),
      status: 2,
    })
    expect(tokens.find(({ id }) => id === ODD_TOKENS.badIps)?.allow_ips).toBe('10.0.0.0/8\nnot\nan\naddress')
    expect(tokens.map(({ id }) => id)).not.toContain(ODD_TOKENS.noOwner)
    expect(tokens).toHaveLength(TOKENS + 4)
    const raw = readFileSync(target.sqlitePath).toString('latin1')
    expect(raw).not.toContain(tokenKey(1))
    expect(raw).not.toContain(channelKeys(1))
    expect(raw).not.toContain(channelSetting(1).slice(20, 60))
    expect(raw).not.toContain('smtp-secret-1')
  })

  it('channel keys are split by line, except for a service account', async () => {
    const channels = await target.open(({ db }) =>
      db.selectFrom('channels').selectAll().orderBy('id').execute(),
    )
    const keysOf = (id: number) =>
      cipher
        .decrypt(channels.find((channel) => channel.id === id)?.key_sealed ?? '', channelKeyContext(id))
        .split('\n')
    expect(keysOf(1)).toEqual([channelKeys(1)])
    expect(keysOf(3)).toEqual(
      channelKeys(3)
        .split(',')
        .slice(0, 2)
        .map((key) => key.trim()),
    )
    expect(keysOf(ODD_CHANNELS.vertex)).toEqual(['{"type":"service_account","project_id":"p,q"}'])
    expect(channels.find(({ id }) => id === ODD_CHANNELS.noKey)?.status).toBe(2)
    expect(channels.find(({ id }) => id === ODD_CHANNELS.strangeStatus)?.status).toBe(2)
    expect(channels[0] && decryptChannelSecrets(channels[0], cipher).setting).toBe(channelSetting(1))
    expect(channels[1]).toMatchObject({
      base_url: 'https://upstream.example',
      models: 'gpt-4o,gpt-4o-mini',
      group_names: 'default,vip',
    })
    const used = await target.open(({ db }) =>
      db.selectFrom('totals').selectAll().where('subject', 'like', 'channel:%').execute(),
    )
    for (const { subject, used: billed } of used)
      expect(billed).toBe(
        BigInt(
          Number(
            source.tables['channels']?.find(({ id }) => `channel:${Number(id)}` === subject)?.['used_quota'],
          ),
        ),
      )
    expect(used).toHaveLength(CHANNELS + 4)
  })

  it('settings are validated as if an operator had entered them', async () => {
    const options = new Map(
      (await target.open(({ db }) => db.selectFrom('options').select(['key', 'value']).execute())).map(
        ({ key, value }) => [key, value],
      ),
    )
    expect(options.get('SystemName')).toBe('星辰 API')
    expect(JSON.parse(options.get('GroupRatio') ?? '')).toEqual({ default: 1, vip: 0.5 })
    expect(cipher.decrypt(options.get('SMTPToken') ?? '', optionCipherContext('SMTPToken'))).toBe(
      'smtp-secret-1',
    )
    for (const key of ['RetryTimes', 'PasswordLoginEnabled', 'theme.frontend'])
      expect(options.has(key)).toBe(false)
  })

  it('the report names everything that was changed or left out', () => {
    const codes = Object.fromEntries([...result.report.notes].map(([code, { count }]) => [code, count]))
    expect(codes).toMatchObject({
      'user-renamed': 1,
      'user-binding-dropped': 2,
      'user-role-unknown': 1,
      'user-status-unknown': 1,
      'user-setting-dropped': 1,
      'figures-differ': 1,
      'token-without-key': 1,
      'token-without-owner': 1,
      'token-status-unknown': 1,
      'token-balance-ignored': 1,
      'token-address-unreadable': 1,
      'channel-type-unknown': expect.any(Number),
      'channel-key-missing': 1,
      'channel-status-unknown': 1,
      'abilities-differ': 5,
      'code-without-key': 1,
      'code-amount-impossible': 1,
      'code-status-unknown': 1,
      'code-overused': 1,
      'gift-used-twice': 1,
      'order-without-number': 1,
      'order-repeated': 1,
      'order-amount-impossible': 1,
      'order-status-unknown': 1,
      'option-refused': 2,
      'option-door-left-open': 1,
      'group-without-ratio': 1,
    })
  })

  it('rows that were left out are in a side file readable only by its owner', () => {
    const path = result.sideFile ?? ''
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const lines = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => sideRow.parse(JSON.parse(line)))
    const counts = Map.groupBy(lines, ({ table }) => table)
    const left = Object.fromEntries([...counts].map(([table, rows]) => [table, rows.length]))
    expect(left).toMatchObject({ tokens: 2, redemptions: 2, redemption_logs: 1, top_ups: 3 })
    expect(counts.get('redemptions')?.[0]?.row).toMatchObject({ id: String(ODD_CODES.withoutKey), key: null })
  })

  it('the setup counts as done because a super admin was imported', async () => {
    const setup = await target.open(({ db }) => db.selectFrom('setups').selectAll().execute())
    expect(setup).toMatchObject([{ initialized_at: 1_718_000_000 }])
  })

  it('the usage log is imported in order, each row once', async () => {
    const logs = await target.open(({ db }) => db.selectFrom('logs').selectAll().orderBy('id').execute())
    expect(logs).toHaveLength(LOGS)
    expect(logs[0]).toMatchObject({
      id: 2,
      request_id: `import:${result.sourceId}:logs:2`,
      type: 2,
      duration_ms: 3000,
      is_stream: 0,
      other: '{"model_ratio":1.25}',
    })
    expect(logs[2]?.other).toBe('')
    expect(logs[49]?.type).toBe(5)
  })

  it('a second import changes nothing and says so', async () => {
    const before = await target.open(contents)
    const again = await target.import(source.place, { withLogs: true })
    expect(differences(before, await target.open(contents))).toEqual([])
    expect(again.report.hasWritten).toBe(false)
    expect(again.report.tables.get('users')).toMatchObject({
      written: 0,
      known: source.tables['users']?.length,
    })
    expect(again.report.notes.get('row-changed')).toBeUndefined()
    expect(again.audit?.findings).toEqual([])
  })
})
