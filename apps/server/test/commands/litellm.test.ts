import { writeFileSync } from 'node:fs'
import { hash } from 'bcryptjs'
import { join } from 'node:path'
import { sha256Hex } from '@tollgate/kit/ids'
import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../src/app/index.ts'
import { printReport } from '../../src/commands/import/print-report.ts'
import type { ImportResult } from '../../src/commands/import/run-import.ts'
import { readConfig } from '../../src/config/index.ts'
import { Visitor } from '../harness.ts'
import {
  LITELLM_CONFIG,
  LITELLM_KEYS as KEYS,
  litellmSchema as schema,
  litellmTables as tables,
} from './support/litellm-rows.ts'
import { SECRETS, type TargetFolder, makeTarget } from './support/run.ts'
import { type SourceDatabase, sourceServers, sqliteSource } from './support/source-database.ts'

const PASSWORD = 'a-new-password-1'

const servers = (await sourceServers()).filter(({ label }) => /postgres/i.test(label))
const makers =
  servers.length > 0
    ? servers.map(({ label, make }) => ({ label, make }))
    : [{ label: 'SQLite', make: sqliteSource }]

describe.each(makers)('a database of LiteLLM on $label', ({ make }) => {
  let source: SourceDatabase
  let target: TargetFolder
  let result: ImportResult
  let server: RunningServer
  beforeAll(async () => {
    source = await make({ schema, tables })
    target = makeTarget()
    const config = join(target.folder, 'config.yaml')
    writeFileSync(config, LITELLM_CONFIG)
    result = await target.import(source.place, { config })
    const passwordHash = await hash(PASSWORD, 4)
    await target.open(({ db }) =>
      db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', 1).execute(),
    )
    const environment = { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent', DRAIN_SECONDS: '1' }
    server = await startServer(readConfig({ ...SECRETS, ...environment, SQLITE_PATH: target.sqlitePath }))
  })
  afterAll(async () => {
    await server.close({ drainMs: 0 })
    target.drop()
    await source.drop()
  })

  const ask = (text: string) =>
    fetch(`${server.address}/v1/models`, { headers: { authorization: `Bearer ${text}` } })

  it.each([
    ['open', 200],
    ['ended', 401],
    ['off', 401],
    ['limited', 200],
    ['team', 200],
    ['nobody', 200],
  ] as const)('its key %s answers %i', async (name, status) => {
    expect((await ask(KEYS[name])).status).toBe(status)
  })

  it.each([
    KEYS.open.slice(3),
    `${KEYS.open}-1`,
    KEYS.open.slice(0, -1),
    sha256Hex(KEYS.open),
    `sk-${sha256Hex(KEYS.open)}`,
  ])('the text %s is no key', async (text) => {
    expect((await ask(text)).status).toBe(401)
  })

  it('users, teams and budgets become users with what is left', async () => {
    const accounts = await readAccounts(target.sqlitePath)
    expect(accounts).toEqual([
      ['ann@example.com', 1, 1, 3_750_000n, 1_250_000n],
      ['bob', 10, 1, 10n ** 15n, 500_000n],
      ['team blue', 1, 1, 0n, 2_000_000n],
      ['keys without owner', 1, 1, 10n ** 15n, 0n],
    ])
  })

  it('ends and limits of keys are kept', async () => {
    const rows = await readTokens(target.sqlitePath)
    expect(rows['limited']).toMatchObject({
      model_limits: 'gpt-4o',
      tpm_limit: 1_000,
      max_parallel_requests: 2,
      budget_quota: 2_500_000,
      budget_period: 'day',
      unlimited_quota: 1,
    })
    expect(rows['team']).toMatchObject({
      model_limits: 'gpt-4o,claude x',
      rpm_limit: 60,
      unlimited_quota: 0,
      user_id: 3,
    })
    expect(rows['ended']?.['expired_time']).toBe(1_735_689_600)
    expect(rows['off']?.['status']).toBe(2)
  })

  it('a key that came as a hash is refused in words where it would be shown', async () => {
    const token = (await readTokens(target.sqlitePath))['open']
    expect(token).toMatchObject({ key_sealed: '', key_form: 1, key_preview: 'sk-...hes1' })
    const owner = new Visitor(server.address)
    await owner.signIn({ username: 'ann@example.com', password: PASSWORD })
    const params = { id: Number(token?.['id']) }
    await expect(owner.call(routes.token.reveal, { params })).rejects.toThrow(/another system as a hash/)
  })

  it('what is not kept is named with its consequence', () => {
    const named = new Set(result.report.losses.map(({ table, name }) => `${table}.${name}`))
    for (const name of [
      'LiteLLM_UserTable.password',
      'LiteLLM_UserTable.budget_duration',
      'LiteLLM_TeamTable.rpm_limit',
      'LiteLLM_VerificationToken.permissions',
      'config.yaml.model_list',
      'config.yaml.input_cost_per_token',
      'config.yaml.output_cost_per_token',
      'config.yaml.model_group_alias',
      'config.yaml.allowed_ips',
      'config.yaml.max_budget',
      'config.yaml.cap_of_next_year',
      'config.yaml.rpm, tpm',
      'config.yaml.fallbacks',
      'config.yaml.master_key',
    ])
      expect(named).toContain(name)
    expect(named).not.toContain('config.yaml.set_verbose')
    const rowsOf = (name: string) => result.report.losses.find((loss) => loss.name === name)?.rows
    expect([rowsOf('input_cost_per_token'), rowsOf('output_cost_per_token')]).toEqual([3, 1])
    const lines = printReport(result, { isDryRun: false })
    expect(lines.at(-1)).toContain('The books balance')
    expect(lines.join('\n')).not.toContain('sk-1234')
  })

  it('prices of tokens are kept, the dearest of several, beside the usual ones', async () => {
    const options = new Map(
      (await query(target.sqlitePath, 'select key, value from options')).map(({ key: name, value }) => [
        String(name),
        JSON.parse(String(value)),
      ]),
    )
    const ratiosOf = (model: string) => [
      options.get('ModelRatio')?.[model],
      options.get('CompletionRatio')?.[model],
      options.get('CacheRatio')?.[model],
    ]
    expect(ratiosOf('own')).toEqual([0.5, 4, 0.1])
    expect(ratiosOf('told-beside').slice(0, 2)).toEqual([0.015, 2])
    expect(ratiosOf('two-prices').slice(0, 2)).toEqual([1, 3])
    for (const model of ['half-told', 'by-second', 'below-zero']) expect(ratiosOf(model)[0]).toBeUndefined()
    expect(options.get('ModelRatio')?.['gpt-4o']).toBe(1.25)
  })

  it('the configuration becomes channels', async () => {
    const root = await readChannels(target.sqlitePath)
    expect(root).toEqual([
      {
        type: 3,
        base_url: 'https://x.openai.azure.com',
        models: 'gpt-4o',
        model_mapping: '{"gpt-4o":"my-deployment"}',
        other: '2024-10-21',
        status: 1,
      },
      {
        type: 1,
        base_url: 'https://api.groq.com/openai',
        models: 'fast',
        model_mapping: '{"fast":"llama-3"}',
        other: '',
        status: 2,
      },
      {
        type: 1,
        base_url: 'https://own.example',
        models: 'own,told-beside',
        model_mapping: '{"own":"own-model"}',
        other: '',
        status: 1,
      },
      {
        type: 1,
        base_url: 'https://a.example',
        models: 'two-prices,half-told,by-second,below-zero',
        model_mapping: '{"two-prices":"two","half-told":"half","by-second":"second","below-zero":"below"}',
        other: '',
        status: 1,
      },
      {
        type: 1,
        base_url: 'https://b.example',
        models: 'two-prices',
        model_mapping: '{"two-prices":"two"}',
        other: '',
        status: 1,
      },
    ])
  })
})

describe('a file of users', () => {
  it('becomes users with their tokens, and is imported once', async () => {
    const target = makeTarget()
    const file = join(target.folder, 'users.csv')
    writeFileSync(
      file,
      '\uFEFFusername,email,quota,token_name,token_key,token_quota,token_expires\r\n' +
        'ann,ann@example.com,500000,laptop,sk-annsOldKey000001,,2030-01-01\r\n' +
        'ann,,,server,sk-annsOldKey000002,1000,\r\n' +
        'ann,,,with a dash,sk-proj-old_key-3,,\r\n' +
        '"bo, b",,0,,,,\r\n',
    )
    const { report, audit } = await target.import(file)
    expect(audit?.findings).toEqual([])
    expect(report.tables.get('users')?.written).toBe(2)
    expect(report.tables.get('tokens')?.written).toBe(3)
    expect((await target.import(file)).report.hasWritten).toBe(false)
    const rows = await target.open(({ db }) =>
      db
        .selectFrom('tokens')
        .select(['name', 'key_hash', 'expired_time', 'unlimited_quota'])
        .orderBy('id')
        .execute(),
    )
    expect(rows).toEqual([
      {
        name: 'laptop',
        key_hash: sha256Hex('annsOldKey000001'),
        expired_time: 1_893_456_000,
        unlimited_quota: 1,
      },
      { name: 'server', key_hash: sha256Hex('annsOldKey000002'), expired_time: -1, unlimited_quota: 0 },
      { name: 'with a dash', key_hash: sha256Hex('sk-proj-old_key-3'), expired_time: -1, unlimited_quota: 1 },
    ])
    target.drop()
  })

  it.each([
    ['name,quota\na,1', /column name/],
    ['email\na@example.com', /no column username/],
    ['username,quota\na,1.5', /whole number/],
    ['username,quota\n,1', /Line 2/],
    ['username,token_name,token_expires\na,t,soon', /no date/],
    ['username\n"a', /not closed/],
  ])('%j is refused in one sentence', async (text, reason) => {
    const target = makeTarget()
    const file = join(target.folder, 'users.csv')
    writeFileSync(file, text)
    await expect(target.import(file)).rejects.toThrow(reason)
    target.drop()
  })
})

/** Read beside the gateway, which has the database open. */
async function query(path: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database
    .prepare(statement)
    .all()
    .map((row) => ({ ...row }))
  database.close()
  return rows
}

async function readAccounts(path: string) {
  const rows = await query(
    path,
    "select username, role, status, remaining, used from users join account on owner_id = users.id and kind = 'user' order by users.id",
  )
  return rows.map(({ username, role, status, remaining, used }) => [
    username,
    role,
    status,
    BigInt(Number(remaining)),
    BigInt(Number(used)),
  ])
}

async function readTokens(path: string): Promise<Readonly<Record<string, Record<string, unknown>>>> {
  const rows = await query(path, 'select * from tokens')
  return Object.fromEntries(rows.map((row) => [String(row['name']), row]))
}

const readChannels = (path: string) =>
  query(path, 'select type, base_url, models, model_mapping, other, status from channels order by id')
