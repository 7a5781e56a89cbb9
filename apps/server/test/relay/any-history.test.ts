import { recordAt, recordsAt } from '@tollgate/dialects/json'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { messageStreamWith, messageWith } from './messages-upstream.ts'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openScriptedUpstream, sendJson, type ReceivedRequest, type ScriptedUpstream } from './upstream.ts'

/** Sessions that began elsewhere: what one vendor wrote or tolerated has to be taken by a strict one. */

let harness: RelayHarness
let vendor: ScriptedUpstream
let send: (path: string, body: object) => Promise<Response>

const CLAUDE = 'claude-sonnet-5'
const RESPONDER = 'gpt-5.3-codex'
const CHAT = 'some-chat-model'
const LONG = 'codex_mcp__codex_apps__google_calendar.search_events_exec-0b1c2d3e-1111-2222-3333-444455556666'
const USER = JSON.stringify({ device_id: 'd'.repeat(64), account_uuid: '', session_id: 's'.repeat(36) })

beforeAll(async () => {
  harness = await openRelayHarness()
  vendor = await openScriptedUpstream()
  await harness.addChannel(vendor.url, { type: 14, models: CLAUDE })
  await harness.addChannel(vendor.url, { type: 1, models: RESPONDER })
  await harness.addChannel(vendor.url, { type: 8, models: CHAT })
  await harness.setOption('ModelRatio', JSON.stringify({ [CLAUDE]: 1, [RESPONDER]: 1, [CHAT]: 1 }))
  const { bearer } = await harness.addCaller()
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  send = (path, body) => fetch(harness.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
})
afterAll(async () => {
  await harness.close()
  await vendor.close()
})
beforeEach(() => {
  vendor.respond = (response, request) => answer(response, request)
})

const answer: ScriptedUpstream['respond'] = (response, request) => {
  if (request.path.includes('/messages')) return messageWith()(response, request)
  const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
  const message = { role: 'assistant', content: 'done' }
  if (!request.path.includes('/responses'))
    return sendJson(response, 200, {
      id: 'c',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    })
  const content = [{ type: 'output_text', text: 'done', annotations: [] }]
  const output = [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }]
  sendJson(response, 200, { id: 'r', object: 'response', status: 'completed', output, usage })
}

const parameters = { type: 'object', properties: {} }
const chatTools = [{ type: 'function', function: { name: 'f', parameters } }]

function chatCalls(ids: readonly string[], results = ids) {
  const calls = ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } }))
  return [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: null, tool_calls: calls },
    ...results.map((id) => ({ role: 'tool', tool_call_id: id, content: 'r' })),
    { role: 'user', content: 'y' },
  ]
}

async function received(path: string, body: object): Promise<ReceivedRequest> {
  const response = await send(path, body)
  expect(response.status, await response.text()).toBe(200)
  return vendor.received.at(-1) ?? expect.fail('the vendor was called')
}

function textsNamed(name: string, { text }: ReceivedRequest): readonly string[] {
  return [...text.matchAll(new RegExp(`"${name}":"([^"]*)"`, 'g'))].map(([, value = '']) => value)
}

test.each([
  ['/v1/chat/completions', { messages: chatCalls([`${LONG}-1`, `${LONG}-2`]), tools: chatTools }],
  [
    '/v1/messages',
    {
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'tool_use', id: LONG, name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: LONG, content: 'r' }] },
      ],
    },
  ],
])('a long id of a call from %s is shortened for Responses, in call and result', async (path, body) => {
  const sent = await received(path, { model: RESPONDER, ...body })
  const ids = textsNamed('call_id', sent)
  expect(ids.length).toBeGreaterThan(1)
  for (const id of ids) expect(id.length).toBeLessThanOrEqual(64)
  expect(new Set(ids).size).toBe(ids.length / 2)
})

test.each([
  [RESPONDER, 'safety_identifier'],
  [CHAT, 'user'],
])('%s gets the same short %s for the same user of Claude Code', async (model, member) => {
  const body = {
    model,
    max_tokens: 9,
    metadata: { user_id: USER },
    messages: [{ role: 'user', content: 'x' }],
  }
  const [first] = textsNamed(member, await received('/v1/messages', body))
  const [second] = textsNamed(member, await received('/v1/messages', body))
  expect(first?.length).toBeLessThanOrEqual(64)
  expect(second).toBe(first)
})

test('calls that nobody answered get a result that says so', async () => {
  const messages = chatCalls(['c1', 'c2'], ['c2'])
  const { text } = await received('/v1/chat/completions', { model: CLAUDE, messages, tools: chatTools })
  expect(text.match(/"tool_use_id":"c[12]"/g)).toHaveLength(2)
  expect(text).toContain('The call was interrupted; there is no result.')
})

test('a half of an emoji is replaced, and named where it stands in arguments', async () => {
  const call = { type: 'tool_use', id: 't1', name: 'f', input: { path: 'a\ud83d' } }
  const response = await send('/v1/messages', {
    model: CHAT,
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'cut \ud83d here' },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'r' }] },
    ],
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('x-tollgate-dropped')).toContain('arguments.half_characters')
  expect(vendor.received.at(-1)?.text).toContain('cut \ufffd here')
  expect(vendor.received.at(-1)?.text).not.toMatch(/\\ud83d/i)
})

test('a union at the top of a schema becomes one object with the rule in words', async () => {
  const oneOf = [{ properties: { id: { type: 'string' } } }, { properties: { url: { type: 'string' } } }]
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', oneOf } } }]
  const { body } = await received('/v1/chat/completions', {
    model: CLAUDE,
    messages: [{ role: 'user', content: 'x' }],
    tools,
  })
  expect(body['tools']).toMatchObject([
    {
      input_schema: {
        type: 'object',
        properties: { id: {}, url: {} },
        description: expect.stringContaining('oneOf'),
      },
    },
  ])
  expect(JSON.stringify(body['tools'])).not.toContain('"oneOf":')
})

function ending(content: string) {
  const messages = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content },
  ]
  return { model: CLAUDE, messages }
}

test('a conversation that ends with the model goes on, and a forced form is refused in words', async () => {
  const { body } = await received('/v1/chat/completions', ending('The number of steps is reached.'))
  expect(body['messages']).toMatchObject([{}, { role: 'assistant' }, { role: 'user' }])
  const refused = await send('/v1/chat/completions', ending('{'))
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('forces the form of the answer')
})

test.each([
  [
    '/v1/messages',
    {
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: 'so' },
      ],
    },
  ],
  [
    '/v1/chat/completions',
    {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: 'so' },
      ],
    },
  ],
])('a conversation from %s that ends with the model goes on with an instruction', async (path, body) => {
  const sent = await received(path, { model: CLAUDE, ...body })
  expect(sent.text).toContain('Continue your last message')
  const forced = {
    ...body,
    messages: [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: '{' },
    ],
  }
  const refused = await send(path, { model: CLAUDE, ...forced })
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('forces the form')
})

test('the log row lists what was changed for the vendor', async () => {
  const messages = chatCalls([`${LONG}-1`, `${LONG}-2`], [`${LONG}-2`])
  const oneOf = [{ properties: { id: { type: 'string' } } }]
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', oneOf } } }]
  await received('/v1/chat/completions', { model: CLAUDE, messages, tools })
  await harness.quiet()
  const { repairs } = JSON.parse((await harness.logs()).at(-1)?.other ?? '{}')
  expect(repairs).toEqual(['answered_calls', 'tool_schemas', 'shortened_ids'])
})

test.each([false, true])(
  'names of arguments that Claude refuses come back in its calls (streamed: %s)',
  async (stream) => {
    const properties = { 'filter[id]': { type: 'string' }, $top: { type: 'integer' } }
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties } } }]
    vendor.respond = (response, request) => {
      const [tool] = recordsAt(request.body, 'tools')
      const schema = recordAt(tool ?? {}, 'input_schema') ?? {}
      const names = Object.keys(recordAt(schema, 'properties') ?? {})
      for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/)
      const input = Object.fromEntries(names.map((name) => [name, 'v']))
      const block = { type: 'tool_use', id: 'toolu_1', name: 'f', input }
      return (stream ? messageStreamWith([block], { stop: 'tool_use' }) : messageWith([block], 'tool_use'))(
        response,
        request,
      )
    }
    const body = { model: CLAUDE, stream, messages: [{ role: 'user', content: 'x' }], tools }
    const answer = await (await send('/v1/chat/completions', body)).text()
    expect(answer.replaceAll('\\', '')).toContain('{"filter[id]":"v","$top":"v"}')
  },
)
