import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT, type TestServer, startTestServer } from '../harness.ts'

/**
 * The setup wizard of new-api's consoles sends no setup token. It works only from the machine the gateway
 * runs on.
 */

let gateway: TestServer
beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true, skipsSetup: true })
})
afterAll(() => gateway.close())

/** The request of that wizard, with a member that Tollgate ignores. */
const wizard = {
  username: ROOT.username,
  password: ROOT.password,
  confirmPassword: ROOT.password,
  usageMode: 'external',
  SelfUseModeEnabled: false,
  DemoSiteEnabled: false,
}

async function setUp(headers: Record<string, string>): Promise<unknown> {
  const response = await fetch(`${gateway.address}/api/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'New-Api-User': '-1', ...headers },
    body: JSON.stringify(wizard),
  })
  return response.json()
}

test('from another machine the wizard gets an error about the setup token', async () => {
  expect(await setUp({ 'x-forwarded-for': '192.0.2.1' })).toMatchObject({
    success: false,
    code: 'setup_token_wrong',
    message: expect.stringContaining('http://localhost'),
  })
})

test("on the gateway's own machine the wizard completes without a token", async () => {
  expect(await setUp({})).toMatchObject({ success: true, message: '系统初始化成功' })
  await gateway.root.signIn(ROOT)
})
