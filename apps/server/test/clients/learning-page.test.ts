import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptedUpstream } from '../relay/upstream.ts'
import { openClientGateway, type ClientGateway } from './gateway.ts'
import { refusing } from './picky-server.ts'

/** How an operator sees and resets what the gateway learned about a channel. */

const MODEL = 'deepseek-chat'

let gateway: ClientGateway
let vendor: ScriptedUpstream

beforeAll(async () => {
  gateway = await openClientGateway()
  vendor = await gateway.addVendor({ type: 1, models: MODEL, respond: refusing('temperature') })
})
afterAll(() => gateway.close())

const ask = () =>
  gateway.send({
    bearer: gateway.key,
    body: { model: MODEL, temperature: 0.5, messages: [{ role: 'user', content: 'hi' }] },
  })

test('a lesson is listed with its expiry until an operator resets the channel', async () => {
  const { root } = gateway.server
  const params = { id: 1 }
  expect(await root.call(routes.channelLesson.list, { params })).toEqual([])
  expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(200)
  expect(vendor.received).toHaveLength(3)
  const [lesson, ...others] = await root.call(routes.channelLesson.list, { params })
  expect(others).toEqual([])
  expect(lesson).toMatchObject({ model: MODEL, lesson: 'refuses:temperature' })
  expect((lesson?.ends_time ?? 0) - (lesson?.learned_time ?? 0)).toBe(24 * 60 * 60)

  expect(await root.call(routes.channelLesson.forget, { params })).toBe(1)
  expect(await root.call(routes.channelLesson.list, { params })).toEqual([])
  expect((await ask()).status).toBe(200)
  expect(vendor.received).toHaveLength(5)
  const { items } = await root.call(routes.audit.list, { query: { entity: 'channel' } })
  expect(items[0]).toMatchObject({ action: 'lessons', entity: 'channel' })
})

test('lessons of a channel that does not exist are not found', async () => {
  const { root } = gateway.server
  await expect(root.call(routes.channelLesson.list, { params: { id: 99 } })).rejects.toThrow()
  await expect(root.call(routes.channelLesson.forget, { params: { id: 99 } })).rejects.toThrow()
})
