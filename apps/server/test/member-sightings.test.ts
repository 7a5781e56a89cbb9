import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from './harness.ts'
import { relayCall } from './nodes/operator.ts'
import { type ScriptedUpstream, openScriptedUpstream, sendJson } from './relay/upstream.ts'

/** The operations page says which members nobody knows, and which were taken out, and lets one pass. */

let upstream: ScriptedUpstream
let gateway: TestServer
let key: string

beforeAll(async () => {
  upstream = await openScriptedUpstream()
  gateway = await startTestServer({ isInMemory: true })
  await gateway.root.call(routes.channel.create, {
    body: { type: 1, key: 'sk-up', name: 'one', base_url: upstream.url, models: 'gpt-4o', group: 'default' },
  })
  const token = await gateway.root.call(routes.token.create, { body: { name: 'cli', unlimited_quota: true } })
  key = token.key.startsWith('sk-') ? token.key : `sk-${token.key}`
})
afterAll(async () => {
  await Promise.all([gateway.close(), upstream.close()])
})

async function callWith(more: object): Promise<number> {
  const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...more }
  return (await relayCall({ address: gateway.address, key, body })).status
}

const seen = async () => {
  await gateway.root.call(routes.job.run, { params: { name: 'note-members' } })
  return gateway.root.call(routes.operations.members)
}

test('members are listed with their channel, client and counts', async () => {
  expect(await callWith({ of_tomorrow: 1, preset: 'dear' })).toBe(200)
  expect(await callWith({ of_tomorrow: 1 })).toBe(200)
  await expect.poll(seen).toMatchObject({
    unknown: [
      { wire: 'chat', member: 'of_tomorrow', channel_name: 'one', provider: 'OpenAI', passed: 2, taken: 0 },
    ],
    taken: [{ wire: 'chat', member: 'preset', channel_name: 'one', passed: 0, taken: 1 }],
  })
})

const set = (name: string, value: unknown) =>
  gateway.root.call(routes.option.update, { body: { key: name, value: JSON.stringify(value) } })

test('a member in a group that takes them out is counted as taken out, until the operator lets it pass', async () => {
  await set('member_setting.unknown_members', [{ group: 'default', rule: 'take-out' }])
  expect(await callWith({ of_tomorrow: 1 })).toBe(200)
  expect(upstream.received.at(-1)?.body).not.toHaveProperty('of_tomorrow')
  await set('member_setting.harmless_members', ['chat of_tomorrow'])
  expect(await callWith({ of_tomorrow: 1 })).toBe(200)
  expect(upstream.received.at(-1)?.body).toMatchObject({ of_tomorrow: 1 })
  await expect.poll(seen).toMatchObject({ unknown: [{ passed: 2, taken: 1, is_harmless: true }] })
})

async function listFilms() {
  const { unknown, taken } = await seen()
  return [...unknown, ...taken]
    .filter(({ channel_name: name }) => name === 'films')
    .map(({ member, passed, taken: out }) => [member, passed, out])
    .toSorted((one, other) => String(one[0]).localeCompare(String(other[0])))
}

test('members of tasks are listed like those of calls', async () => {
  await gateway.root.call(routes.channel.create, {
    body: {
      type: 55,
      key: 'sk-video',
      name: 'films',
      base_url: upstream.url,
      models: 'sora-2',
      group: 'default',
    },
  })
  upstream.respond = (response) => sendJson(response, 200, { id: 'v1', object: 'video', status: 'queued' })
  const film = { model: 'sora-2', prompt: 'a wave', seconds: '4', film_of_tomorrow: 1, preset: 'dear' }
  const answer = await fetch(`${gateway.address}/v1/videos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(film),
  })
  expect([answer.status, await answer.text()]).toMatchObject([200, expect.stringContaining('id')])
  await expect.poll(listFilms).toEqual([
    ['film_of_tomorrow', 0, 1],
    ['preset', 0, 1],
  ])
})
