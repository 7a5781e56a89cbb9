import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type TestServer, startTestServer } from '../harness.ts'
import { oldConsole } from './old-client.ts'

/**
 * The token form of new-api's consoles always sends a number, even with "unlimited" set, and shows that
 * number when the limit is switched on.
 */

let gateway: TestServer
beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
})
afterAll(() => gateway.close())

const listSchema = z.array(
  z.looseObject({ id: z.int(), remain_quota: z.int(), unlimited_quota: z.boolean(), status: z.int() }),
)

test('a limit that is switched on again is the number shown in the form', async () => {
  const user = oldConsole(await gateway.user(), 'Veloera-User')
  const made = { name: 'wide', remain_quota: 500_000, expired_time: -1, unlimited_quota: true, group: '' }
  await user('POST', '/api/token/', made)
  const token = async () => {
    const { data } = await user('GET', '/api/token/?p=0&size=10')
    const [first] = listSchema.parse(data)
    if (!first) throw new Error('there is no token')
    return first
  }
  expect(await token()).toMatchObject({ remain_quota: 500_000, unlimited_quota: true, status: 1 })
  await user('PUT', '/api/token/', { ...(await token()), unlimited_quota: false })
  expect(await token()).toMatchObject({ remain_quota: 500_000, unlimited_quota: false, status: 1 })
  await user('PUT', '/api/token/', { ...(await token()), unlimited_quota: true, remain_quota: 70 })
  expect(await token()).toMatchObject({ remain_quota: 70, unlimited_quota: true, status: 1 })
})
