import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../harness.ts'
import { oldConsole } from './old-client.ts'

/** Clients written for new-api that send no language get Chinese messages, as new-api sends them. */

const MIDJOURNEY = 2

let gateway: TestServer
let old: ReturnType<typeof oldConsole>
beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
  old = oldConsole(gateway.root, 'Veloera-User')
})
afterAll(() => gateway.close())

test('an error is in Chinese for a user header of new-api, and in English for Tollgate-User', async () => {
  expect(await old('GET', '/api/channel/99999')).toMatchObject({ success: false, message: '记录不存在' })
  const own = await gateway.root.fetch('/api/channel/99999', { headers: { 'accept-language': '*' } })
  expect(await own.json()).toMatchObject({ success: false, message: 'Not found' })
})

test('a client that requests English gets English', async () => {
  const english = oldConsole(gateway.root, 'New-Api-User', 'en-US,en;q=0.9')
  expect(await english('GET', '/api/channel/99999')).toMatchObject({ message: 'Not found' })
})

test('an error of the playground is in the language of its console', async () => {
  const answer = await old('POST', '/pg/chat/completions', { model: 'nobody-has-it', messages: [] })
  expect(JSON.stringify(answer)).toMatch(/[一-鿿]/)
})

test('the error of an untestable channel is in Chinese for a console of new-api, and in English for this console', async () => {
  const body = {
    type: MIDJOURNEY,
    name: 'mj',
    key: 'mj-secret-0123456789',
    models: 'mj_imagine',
    base_url: 'https://mj.example',
  }
  const { id } = await gateway.root.call(routes.channel.create, { body })
  expect(await old('GET', `/api/channel/test/${id}`)).toMatchObject({
    success: false,
    message: 'Midjourney Proxy 渠道不支持测试',
  })
  const own = await gateway.root.fetch(`/api/channel/test/${id}`)
  expect(await own.json()).toMatchObject({ message: 'Midjourney Proxy channels cannot be tested' })
})
