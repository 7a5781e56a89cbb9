import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { messageWith } from './messages-upstream.ts'
import { openScriptedUpstream, sendJson, type Responder, type ScriptedUpstream } from './upstream.ts'

/** Whether a channel allows server-side tools and stored context is a setting of the channel. */

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string

const off = JSON.stringify({ server_tools: false })
const on = JSON.stringify({ stored_context: true })
const asBefore = JSON.stringify({ stored_context: 'as_before' })

const response: Responder = (answer) => {
  const content = [{ type: 'output_text', text: 'hello', annotations: [] }]
  const output = [{ type: 'message', id: 'i', role: 'assistant', status: 'completed', content }]
  const usage = { input_tokens: 10, output_tokens: 5 }
  sendJson(answer, 200, { id: 'r', object: 'response', status: 'completed', model: 'm', output, usage })
}

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  ;({ bearer } = await harness.addCaller({ quota: 1_000_000_000n }))
  await harness.addChannel(upstream.url, { models: 'gpt-5,gpt-4.1' })
  await harness.addChannel(upstream.url, {
    models: 'gpt-4o,gpt-4.1',
    setting: off,
    priority: 9,
    name: 'closed',
  })
  await harness.addChannel(upstream.url, { models: 'o3', setting: on })
  // This channel supports only chat completions, so Responses are converted.
  await harness.addChannel(upstream.url, { models: 'o1', type: 42, setting: on })
  await harness.addChannel(upstream.url, { models: 'o4-mini', setting: asBefore })
  await harness.addChannel(upstream.url, { models: 'claude-sonnet-4-5-20250929', type: 14 })
  await harness.addChannel(upstream.url, { models: 'claude-haiku-4-5-20251001', type: 14, setting: on })
})
beforeEach(() => {
  upstream.respond = response
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})

const asking = (model: string, more: object) =>
  harness.send({
    path: '/v1/responses',
    bearer,
    body: { model, input: 'hi', max_output_tokens: 10, ...more },
  })

/** Codex sends this with its default configuration. */
const SEARCH = { tools: [{ type: 'web_search', external_web_access: false }] }

test('a channel with default settings allows the web search that Codex requests by default', async () => {
  expect(await asking('gpt-5', SEARCH)).toMatchObject({ status: 200 })
})

test('a channel that does not allow server-side tools is not used for a call that requests them', async () => {
  const before = upstream.received.length
  expect(await asking('gpt-4.1', SEARCH)).toMatchObject({ status: 200 })
  await harness.quiet()
  const rows = await harness.logs()
  expect(rows.at(-1)).toMatchObject({ channel_id: 1 })
  expect(upstream.received.length).toBe(before + 1)
  expect(await asking('gpt-4.1', {})).toMatchObject({ status: 200 })
  await harness.quiet()
  expect((await harness.logs()).at(-1)).toMatchObject({ channel_id: 2 })
})

test('when no channel allows a tool, the error names the member and nothing is sent upstream', async () => {
  const before = upstream.received.length
  const answer = await asking('gpt-4o', SEARCH)
  expect(answer).toMatchObject({
    status: 400,
    error: { code: 'member_not_allowed', param: 'tools.web_search' },
  })
  expect(upstream.received.length).toBe(before)
})

test.each([
  [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
  [{ conversation: 'conv_1' }, 'conversation'],
  [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
  [{ tools: [{ type: 'mcp', server_label: 'a', server_url: 'https://a.test' }] }, 'tools.mcp'],
  [{ input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] }, 'file_id'],
])('%j uses only a channel that allows stored context', async (more, param) => {
  const refused = { status: 400, error: { code: 'member_not_allowed', param } }
  expect(await asking('gpt-5', more)).toMatchObject(refused)
  expect(await asking('o3', more)).toMatchObject({ status: 200 })
  expect(upstream.received.at(-1)?.body).toMatchObject(more)
  // Context stored at one vendor cannot be used through the dialect of another.
  expect(await asking('o1', more)).toMatchObject(refused)
})

test.each([
  [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
  [{ conversation: 'conv_1' }, 'conversation'],
  [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
  [
    { previous_response_id: 'resp_1', tools: [{ type: 'file_search', vector_store_ids: ['v'] }] },
    'previous_response_id',
  ],
])(
  "%j does not read another caller's conversation on a channel saved before the setting existed",
  async (more, param) => {
    const before = upstream.received.length
    expect(await asking('o4-mini', more)).toMatchObject({
      status: 400,
      error: { code: 'member_not_allowed', param },
    })
    expect(upstream.received.length).toBe(before)
  },
)

test.each([
  [{ tools: [{ type: 'mcp', server_label: 'a', server_url: 'https://a.test' }] }],
  [{ tools: [{ type: 'file_search', vector_store_ids: ['v'] }] }],
  [{ input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] }],
])('%j still works on a channel saved before the setting existed', async (more) => {
  expect(await asking('o4-mini', more)).toMatchObject({ status: 200 })
  expect(upstream.received.at(-1)?.body).toMatchObject(more)
})

test.each(['background', 'context_management'])('%s is refused by every channel', async (param) => {
  const answer = await asking('o3', { [param]: param === 'background' ? true : [] })
  expect(answer).toMatchObject({ status: 400, error: { code: 'member_invalid', param } })
})

test('MCP servers in a Claude request need a channel that allows them', async () => {
  upstream.respond = messageWith()
  const body = {
    model: 'claude-sonnet-4-5-20250929',
    max_tokens: 10,
    messages: [{ role: 'user', content: 'hi' }],
    mcp_servers: [{ type: 'url', url: 'https://a.test', name: 'a' }],
  }
  const refused = await harness.send({ path: '/v1/messages', bearer, body })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('mcp_servers')
  const allowed = { ...body, model: 'claude-haiku-4-5-20251001' }
  expect(await harness.send({ path: '/v1/messages', bearer, body: allowed })).toMatchObject({ status: 200 })
})

test('a channel pinned by an administrator keeps its restrictions', async () => {
  const admin = await harness.addCaller({ user: { role: 10 } })
  const body = { model: 'gpt-4o', input: 'hi', ...SEARCH }
  const answer = await harness.send({ path: '/v1/responses', bearer: `${admin.bearer}-2`, body })
  expect(answer).toMatchObject({ status: 400, error: { param: 'tools.web_search' } })
})
