import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '@tollgate/contract/routes'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'
import { oldConsole } from './old-client.ts'

/** Webhooks to a receiver in the operator's own network, without TLS. */

let gateway: TestServer
beforeAll(async () => {
  const environment = { EGRESS_ALLOW: '127.0.0.1,10.1.0.0/16,[::1]:8080,hooks.internal:9000' }
  gateway = await startTestServer({ isInMemory: true, environment })
})
afterAll(() => gateway.close())

const save = (visitor: Visitor, url: string) =>
  oldConsole(visitor)('PUT', '/api/user/setting', {
    notify_type: 'webhook',
    quota_warning_threshold: 1000,
    webhook_url: url,
    webhook_secret: '',
    notification_email: '',
    accept_unset_model_ratio_model: false,
  })

const listed = [
  'http://127.0.0.1:5000/hook',
  'http://10.1.2.3/hook',
  'http://[::1]:8080/',
  'http://hooks.internal:9000/a?b=c',
]

test.each(listed)('the super admin may use %s, which EGRESS_ALLOW lists', async (url) => {
  expect(await save(gateway.root, url)).toMatchObject({ success: true })
  const { setting } = await gateway.root.call(routes.user.readSelf)
  expect(JSON.parse(setting)).toMatchObject({ webhook_url: url })
})

test.each([
  'http://example.com/hook',
  'http://93.184.216.34/hook',
  'http://10.2.0.1/hook',
  'http://[::1]:8081/',
  'http://hooks.internal/',
  'http://user@127.0.0.1/',
  'ftp://127.0.0.1/',
])('%s is refused even to the super admin', async (url) => {
  expect(await save(gateway.root, url)).toMatchObject({ success: false, code: 'webhook_url_invalid' })
})

test('other users may not use an address without TLS', async () => {
  const people = [await gateway.user(), await gateway.user({ role: 10 })]
  for (const visitor of people)
    for (const url of listed)
      expect(await save(visitor, url)).toMatchObject({ success: false, code: 'webhook_url_invalid' })
})
