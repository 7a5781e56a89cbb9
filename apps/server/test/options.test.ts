import { type OptionKey, optionDefinition, optionKeys } from '@tollgate/contract/options/index'
import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from './harness.ts'

let gateway: TestServer
beforeAll(async () => {
  gateway = await startTestServer()
})
afterAll(() => gateway.close())

const put = (key: string, value: string) => gateway.root.call(routes.option.update, { body: { key, value } })
const putAt = (at: number, value: string) =>
  gateway.root.call(routes.option.update, { body: { key: 'CacheRatio', value, version: at } })
const list = async () =>
  new Map((await gateway.root.call(routes.option.list)).map((option) => [option.key, option]))
const version = async (key: OptionKey) => (await list()).get(key)?.version
const text = async (key: OptionKey) => (await list()).get(key)?.value

/** Invalid texts for every kind of setting except free text. */
const NONSENSE: Partial<Record<string, string>> = {
  boolean: 'perhaps',
  integer: '1.5',
  number: 'NaN',
  choice: 'none of them',
  json: '{"broken":',
}

test('every known setting is listed with its value as text', async () => {
  const listed = await list()
  expect([...listed.keys()].toSorted()).toEqual(optionKeys.toSorted())
  expect(listed.get('SystemName')?.value).toBe('Tollgate')
  expect(JSON.parse(listed.get('ModelRatio')?.value ?? '')).toMatchObject({ 'gpt-4o': 1.25 })
})

test.each(optionKeys.filter((key) => NONSENSE[optionDefinition(key).kind] !== undefined))(
  'Unlike new-api: %s refuses an invalid value with an explanation, and keeps its value',
  async (key) => {
    const before = await text(key)
    await expect(put(key, NONSENSE[optionDefinition(key).kind] ?? '')).rejects.toThrow(`${key} accepts `)
    expect(await text(key)).toBe(before)
  },
)

test.each(optionKeys.filter((key) => !optionDefinition(key).isSecret))(
  '%s accepts its current value, unless the error says why it cannot',
  async (key) => {
    const value = (await text(key)) ?? ''
    if (key === 'PasswordLoginEnabled') await expect(put(key, 'false')).rejects.toThrow('sign in')
    await put(key, value)
    expect(await text(key)).toBe(value)
  },
)

test('an unknown setting is refused and not stored', async () => {
  await expect(put('NotAnOption', '1')).rejects.toThrow('There is no setting NotAnOption')
  await expect(put('__proto__', '1')).rejects.toThrow('There is no setting')
  const rows = await gateway.server.store.db.selectFrom('options').select('key').execute()
  expect(rows.map(({ key }) => key)).not.toContain('NotAnOption')
})

test('a removed entry of a map setting is gone at once instead of being merged', async () => {
  await put('GroupRatio', '{"default":1,"gold":0.5}')
  expect(JSON.parse((await text('GroupRatio')) ?? '')).toEqual({ default: 1, gold: 0.5 })
  expect(await gateway.root.call(routes.group.list)).toEqual(['default', 'gold'])
  await put('GroupRatio', '{"default":1}')
  expect(await gateway.root.call(routes.group.list)).toEqual(['default'])
  await expect(put('GroupRatio', '{"default":1,"bad":-1}')).rejects.toThrow('(bad)')
})

test('a change based on an outdated version is refused and overwrites nothing', async () => {
  expect(await version('CacheRatio')).toBe(0)
  await putAt(0, '{"a":0.1}')
  await expect(putAt(0, '{"b":0.2}')).rejects.toThrow('CacheRatio: somebody else has changed it; reload it')
  expect(JSON.parse((await text('CacheRatio')) ?? '')).toEqual({ a: 0.1 })
  expect(await version('CacheRatio')).toBe(1)
  const race = await Promise.allSettled(['{"c":1}', '{"d":1}'].map((value) => putAt(1, value)))
  expect(race.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await put('CacheRatio', '{"e":1}')
  expect(await version('CacheRatio')).toBe(3)
})

test('a switch cannot be turned on before the settings it requires are filled in', async () => {
  await expect(put('EmailVerificationEnabled', 'true')).rejects.toThrow('Fill in SMTPServer')
  await put('EmailDomainWhitelist', '')
  await expect(put('EmailDomainRestrictionEnabled', 'true')).rejects.toThrow('Fill in EmailDomainWhitelist')
  await put('EmailDomainWhitelist', 'example.org')
  await put('EmailDomainRestrictionEnabled', 'true')
})

test('the list of mail domains cannot be emptied while registration is restricted to it', async () => {
  await put('EmailDomainWhitelist', 'example.org')
  await put('EmailDomainRestrictionEnabled', 'true')
  for (const nothing of ['', ' , '])
    await expect(put('EmailDomainWhitelist', nothing)).rejects.toThrow(
      'Switch EmailDomainRestrictionEnabled off before emptying EmailDomainWhitelist',
    )
  expect(await text('EmailDomainWhitelist')).toBe('example.org')
  await put('EmailDomainRestrictionEnabled', 'false')
  await put('EmailDomainWhitelist', '')
  expect(await text('EmailDomainWhitelist')).toBe('')
})

test.each(['Logo', 'WeChatAccountQRCodeImageURL'] as const)(
  '%s refuses an address over plain HTTP, which pages would not load',
  async (key) => {
    await expect(put(key, 'http://pictures.example/a.png')).rejects.toThrow(
      'do not load pictures over http://',
    )
    for (const address of ['https://pictures.example/a.png', '/a.png', '']) {
      await put(key, address)
      expect(await text(key)).toBe(address)
    }
  },
)

test('a mail domain cannot be listed twice', async () => {
  await put('EmailDomainWhitelist', 'example.org')
  await expect(put('EmailDomainWhitelist', 'a.example,b.example,A.example')).rejects.toThrow(
    'EmailDomainWhitelist has a.example more than once',
  )
  expect(await text('EmailDomainWhitelist')).toBe('example.org')
})

test('a secret is stored encrypted and never listed; the list only says that it is set', async () => {
  await put('SMTPToken', 'canary-smtp-password')
  expect((await list()).get('SMTPToken')).toEqual({
    key: 'SMTPToken',
    value: '',
    is_set: true,
    version: 1,
  })
  const { db } = gateway.server.store
  const tables = [
    await db.selectFrom('options').selectAll().execute(),
    await db.selectFrom('option_changes').selectAll().execute(),
    await db.selectFrom('audit_log').selectAll().execute(),
  ]
  expect(JSON.stringify(tables)).not.toContain('canary-smtp-password')
  await put('SMTPToken', '')
  expect((await list()).get('SMTPToken')).toMatchObject({ is_set: false })
})

test('a change is recorded with its author in the history and in the audit log', async () => {
  await put('SystemName', 'First')
  await put('SystemName', 'Second')
  const changes = await gateway.server.store.db
    .selectFrom('option_changes')
    .select(['before_value', 'after_value', 'changed_by'])
    .where('key', '=', 'SystemName')
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  expect(changes).toEqual([{ before_value: 'First', after_value: 'Second', changed_by: gateway.root.id }])
  const audit = await gateway.server.store.db
    .selectFrom('audit_log')
    .select(['action', 'before_json', 'after_json'])
    .where('entity_id', '=', 'SystemName')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(audit).toEqual({ action: 'update', before_json: '"First"', after_json: '"Second"' })
})

test('settings survive a restart, and an invalid stored value is replaced by the default', async () => {
  await put('RetryTimes', '3')
  await put('Notice', 'Hello')
  await gateway.server.store.db
    .updateTable('options')
    .set({ value: 'many' })
    .where('key', '=', 'RetryTimes')
    .execute()
  gateway = await gateway.restart()
  expect(await text('RetryTimes')).toBe('0')
  expect(await gateway.visitor().call(routes.status.notice)).toBe('Hello')
})

test('scripts may send numbers and booleans as values', async () => {
  await gateway.root.call(routes.option.update, { body: { key: 'RetryTimes', value: 2 } })
  await gateway.root.call(routes.option.update, { body: { key: 'DrawingEnabled', value: false } })
  expect(await text('RetryTimes')).toBe('2')
  expect((await gateway.root.call(routes.status.read)).enable_drawing).toBe(false)
})
