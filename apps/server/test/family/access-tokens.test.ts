import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../harness.ts'
import { type OldConsole, newOldConsole } from './old-console.ts'

let gateway: TestServer
let owner: OldConsole
let token: string

beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
  owner = await newOldConsole(gateway)
  token = await owner.call(routes.user.resetAccessToken)
})
afterAll(() => gateway.close())

async function self(headers: Record<string, string>) {
  const response = await fetch(`${gateway.address}/api/user/self`, { headers })
  const body: unknown = await response.json()
  return { status: response.status, body }
}

test.each([(text: string) => text, (text: string) => `Bearer ${text}`])(
  'a script with an access token needs no user header',
  async (spelled) => {
    expect(await self({ authorization: spelled(token) })).toMatchObject({
      status: 200,
      body: { success: true, data: { id: owner.id } },
    })
  },
)

test('an access token with the id of another user is refused', async () => {
  expect(await self({ authorization: token, 'veloera-user': '1' })).toMatchObject({
    status: 401,
    body: { code: 'user_header_mismatch' },
  })
})

test('a script may change data without a user header', async () => {
  const response = await fetch(`${gateway.address}/api/token`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'by script' }),
  })
  expect(await response.json()).toMatchObject({ success: true })
})

test('the error for a missing user header names the headers by which tools recognise new-api', async () => {
  for (const language of ['en', 'zh-CN']) {
    const answer = await self({ cookie: owner.cookie, 'accept-language': language })
    const message: unknown = expect.stringMatching(/Veloera-User.*New-Api-User/)
    expect(answer).toMatchObject({ status: 401, body: { code: 'user_header_missing', message } })
  }
})

test('a wrong access token is refused although a valid session is sent with it', async () => {
  const headers = { cookie: owner.cookie, 'veloera-user': String(owner.id) }
  expect(await self(headers)).toMatchObject({ status: 200 })
  expect(await self({ ...headers, authorization: 'Bearer wrong' })).toMatchObject({
    status: 401,
    body: { code: 'access_token_invalid' },
  })
})
