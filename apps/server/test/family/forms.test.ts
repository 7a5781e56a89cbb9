import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, ROOT, type TestServer, startTestServer } from '../harness.ts'
import { type OldConsole, newOldConsole, signedIn } from './old-console.ts'

let gateway: TestServer
let root: OldConsole
beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
  root = await signedIn(gateway, ROOT)
})
afterAll(() => gateway.close())

async function option(key: string) {
  const all = await gateway.root.call(routes.option.list)
  return all.find((one) => one.key === key)
}

describe('a form that leaves out empty values', () => {
  test.each([undefined, null])('an ordinary setting is cleared by the value %s', async (value) => {
    await root.json('PUT', '/api/option/', { key: 'CustomCallbackAddress', value: 'https://pay.example.com' })
    expect(await option('CustomCallbackAddress')).toMatchObject({ value: 'https://pay.example.com' })
    expect(await root.json('PUT', '/api/option/', { key: 'CustomCallbackAddress', value })).toMatchObject({
      success: true,
    })
    expect(await option('CustomCallbackAddress')).toMatchObject({ value: '' })
  })

  test.each(['SMTPToken', 'WorkerValidKey'])('the secret %s stays as it is', async (key) => {
    await root.json('PUT', '/api/option/', { key, value: 'a secret' })
    const before = await option(key)
    expect(before).toMatchObject({ is_set: true })
    for (const body of [{ key }, { key, value: null }])
      expect(await root.json('PUT', '/api/option/', body)).toMatchObject({ success: true })
    expect(await option(key)).toEqual(before)
  })

  test('clearing is refused for a setting that cannot be empty, and for one that does not exist', async () => {
    expect(await root.json('PUT', '/api/option/', { key: 'QuotaPerUnit' })).toMatchObject({
      success: false,
      code: 'option_refused',
    })
    expect(await root.json('PUT', '/api/option/', { key: 'NoSuchSetting' })).toMatchObject({
      success: false,
      code: 'option_unknown',
    })
  })
})

describe('unknown members of a body are ignored', () => {
  test('unknown members are ignored at sign-in', async () => {
    const { username } = await (await newOldConsole(gateway)).call(routes.user.readSelf)
    const visitor = gateway.visitor()
    const answer = await visitor.fetch('/api/user/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: PASSWORD, remember: true }),
    })
    expect(await answer.json()).toMatchObject({ success: true, data: { username } })
  })

  test('unknown members are ignored when a user changes the own name, and nothing else changes', async () => {
    const person = await newOldConsole(gateway)
    const body = { display_name: 'New name', quota: 5, role: 100, group: 'vip' }
    expect(await person.json('PUT', '/api/user/self', body)).toMatchObject({ success: true })
    const self = await person.call(routes.user.readSelf)
    expect(self).toMatchObject({ display_name: 'New name', role: 1, group: 'default' })
    expect(self.quota).not.toBe(5)
  })

  test('unknown members are ignored when a setting is changed', async () => {
    const body = { key: 'SystemName', value: 'Renamed', extra: 1 }
    expect(await root.json('PUT', '/api/option/', body)).toMatchObject({ success: true })
    expect(await option('SystemName')).toMatchObject({ value: 'Renamed' })
  })

  test('unknown members are ignored during setup', async () => {
    const fresh = await startTestServer({ isInMemory: true, skipsSetup: true })
    try {
      const { username, password } = ROOT
      const answer = await fresh.root.fetch('/api/setup', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password, confirmPassword: password, usageMode: 'external' }),
      })
      expect(await answer.json()).toMatchObject({ success: true })
    } finally {
      await fresh.close()
    }
  })
})
