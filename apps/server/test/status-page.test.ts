import { statusPageRoutes } from '@tollgate/contract/status-page'
import { routes } from '@tollgate/contract/routes'
import { addModelDay } from '@tollgate/store/operations/model-days'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from './harness.ts'
import { relayCall } from './nodes/operator.ts'
import { type ScriptedUpstream, failWith, openScriptedUpstream } from './relay/upstream.ts'

const DAY_MS = 86_400_000
const today = Math.floor(Date.now() / DAY_MS)

let upstream: ScriptedUpstream
let gateway: TestServer

beforeAll(async () => {
  upstream = await openScriptedUpstream()
  gateway = await startTestServer({ isInMemory: true })
  await gateway.root.call(routes.channel.create, {
    body: {
      type: 1,
      key: 'sk-up',
      name: 'one',
      base_url: upstream.url,
      models: 'gpt-4o,gpt-4',
      group: 'default',
    },
  })
  await gateway.root.call(routes.channel.create, {
    body: {
      type: 1,
      key: 'sk-up',
      name: 'two',
      base_url: upstream.url,
      models: 'internal-model',
      group: 'insiders',
    },
  })
})
afterAll(async () => {
  await Promise.all([gateway.close(), upstream.close()])
})

const visitor = () => gateway.visitor()
const enable = (value: string) =>
  gateway.root.call(routes.option.update, { body: { key: 'StatusPageEnabled', value } })

test('the page is off by default and then says nothing', async () => {
  await addModelDay(gateway.server.store.db, { day: today, model: 'gpt-4', succeeded: 9, failed: 1 })
  expect(await visitor().call(statusPageRoutes.read)).toMatchObject({ is_enabled: false, models: [] })
  expect(await visitor().call(statusPageRoutes.uptime)).toEqual([])
})

test('calls are counted by model; those that callers got wrong are not', async () => {
  const { key } = await gateway.root.call(routes.token.create, {
    body: { name: 'cli', unlimited_quota: true },
  })
  const call = () =>
    relayCall({
      address: gateway.address,
      key: key.startsWith('sk-') ? key : `sk-${key}`,
      body: { model: 'gpt-4o' },
    })
  expect((await call()).status).toBe(200)
  upstream.respond = failWith(400)
  expect((await call()).status).toBe(400)
  upstream.respond = failWith(500)
  await call()
  await gateway.root.call(routes.job.run, { params: { name: 'note-models' } })
  const counted = () =>
    gateway.server.store.db
      .selectFrom('model_days')
      .select(['succeeded', 'failed'])
      .where('model', '=', 'gpt-4o')
      .executeTakeFirst()
  await expect.poll(counted).toEqual({ succeeded: 1, failed: 1 })
})

test('visitors see the share of each day and of all, in 90 days', async () => {
  const { db } = gateway.server.store
  await addModelDay(db, { day: today - 1, model: 'gpt-4', succeeded: 10, failed: 0 })
  await addModelDay(db, { day: today - 90, model: 'gpt-4', succeeded: 0, failed: 1000 })
  await enable('true')
  const { is_enabled: isEnabled, models } = await visitor().call(statusPageRoutes.read)
  expect(isEnabled).toBe(true)
  expect(models.map(({ model }) => model)).toEqual(['gpt-4', 'gpt-4o'])
  expect(models[0]).toMatchObject({ availability: 0.95 })
  expect(models[0]?.days).toHaveLength(90)
  expect(models[0]?.days.slice(-3)).toEqual([null, 1, 0.9])
  expect(await visitor().call(statusPageRoutes.uptime)).toEqual([
    {
      categoryName: 'Models',
      monitors: [
        { name: 'gpt-4', group: '', uptime: 0.95, status: 1 },
        { name: 'gpt-4o', group: '', uptime: 0.5, status: 1 },
      ],
    },
  ])
})

test('without chosen models the page names only what guests can see in the price list', async () => {
  const { db } = gateway.server.store
  await addModelDay(db, { day: today, model: 'internal-model', succeeded: 900, failed: 0 })
  await addModelDay(db, { day: today, model: 'withdrawn-model', succeeded: 800, failed: 0 })
  // The page is cached for a minute by its chosen models.
  const choose = (value: string) =>
    gateway.root.call(routes.option.update, { body: { key: 'StatusPageModels', value } })
  await choose('gpt-4')
  expect((await visitor().call(statusPageRoutes.read)).models.map(({ model }) => model)).toEqual(['gpt-4'])
  await choose('')
  const { models } = await visitor().call(statusPageRoutes.read)
  expect(models.map(({ model }) => model)).toEqual(['gpt-4', 'gpt-4o'])
  const prices = await visitor().call(routes.pricing.list, {})
  expect(JSON.stringify(prices)).not.toContain('internal-model')
  await choose('internal-model')
  expect((await visitor().call(statusPageRoutes.read)).models).toHaveLength(1)
})
