import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { RelayHarness } from './relay-harness.ts'
import { summaries } from './operations/summaries/operation.ts'
import { openScriptedUpstream, sendJson, type ScriptedUpstream } from './upstream.ts'

/** One folder and one line add an operation: every station, limit and check then applies to it. */

const INDEX = '../../src/relay/operations/index.ts'
const PATH = '/v1/summaries'
const body = { messages: [{ role: 'user', content: 'a long text' }] }

let harness: RelayHarness
let upstream: ScriptedUpstream

// Test files share their modules, so this one loads a gateway of its own and leaves none behind.
beforeAll(async () => {
  vi.resetModules()
  vi.doMock(INDEX, async (original) => ({ ...(await original<object>()), summaries }))
  const { openRelayHarness } = await import('./relay-harness.ts')
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  await harness.addChannel(upstream.url, { models: 'gpt-4o' })
  upstream.respond = (response) =>
    sendJson(response, 200, {
      id: 'c',
      model: 'gpt-4o',
      choices: [{ index: 0, message: { role: 'assistant', content: 'short' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    })
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
  vi.doUnmock(INDEX)
  vi.resetModules()
})
afterEach(async () => {
  await harness.setOption('SensitiveWords', '')
  await harness.setOption('ModelRequestRateLimitEnabled', 'false')
})

it('a new operation is refused without a token, without a balance and for a refused word', async () => {
  const before = upstream.received.length
  expect((await harness.send({ path: PATH, body })).status).toBe(401)
  const poor = await harness.addCaller({ quota: 0n })
  expect((await harness.send({ path: PATH, bearer: poor.bearer, body })).status).toBe(403)
  await harness.setOption('SensitiveWords', 'long')
  const caller = await harness.addCaller()
  expect((await harness.send({ path: PATH, bearer: caller.bearer, body })).text).toContain('sensitive words')
  expect(upstream.received).toHaveLength(before)
})

it('the call limit of a user applies to a new operation', async () => {
  await harness.setOption('ModelRequestRateLimitCount', '1')
  await harness.setOption('ModelRequestRateLimitEnabled', 'true')
  const { bearer } = await harness.addCaller()
  expect((await harness.send({ path: PATH, bearer, body })).status).toBe(200)
  expect((await harness.send({ path: PATH, bearer, body })).status).toBe(429)
})

it('a call of a new operation is held, served, settled and recorded', async () => {
  const caller = await harness.addCaller()
  const { status, json } = await harness.send({ path: PATH, bearer: caller.bearer, body })
  expect({ status, json }).toMatchObject({
    status: 200,
    json: { choices: [{ message: { content: 'short' } }] },
  })
  expect(upstream.received.at(-1)?.body).toMatchObject({ model: 'gpt-4o', ...body })
  // Nothing is served after this.
  await harness.settled()
  // 100 input tokens at 1.25 units each and 10 output tokens at 5.
  expect(await harness.balance(caller.userId)).toMatchObject({ used: 175n, reserved: 0n })
  expect(await harness.openHolds()).toBe(0)
})

it.each(['summaries', 'jingles'])('the guide shows the operation %s that a test adds', (name) => {
  const guide = readFileSync(new URL('../../../../docs/guides/add-an-operation.md', import.meta.url), 'utf8')
  const file = readFileSync(new URL(`operations/${name}/operation.ts`, import.meta.url), 'utf8')
  const inRelay = file
    .replaceAll('../../../../src/relay/operations/', '../')
    .replaceAll('../../../../src/relay/', '../../')
  expect(guide).toContain(`\`\`\`ts\n${inRelay}\`\`\``)
})
