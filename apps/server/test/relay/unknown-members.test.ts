import { afterAll, beforeAll, expect, test } from 'vitest'
import { readRecordings, type RecordedRequest } from '../agents/recording.ts'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openScriptedUpstream, sendJson, type ScriptedUpstream } from './upstream.ts'

/** Members of tomorrow: what nobody knows passes for those who have paid, and reaches no vendor for others. */

const GIFT = 500_000n
const CLAUDE = 'claude-sonnet-4-5-20250929'
const CODEX = 'gpt-5'

let harness: RelayHarness
let upstream: ScriptedUpstream

beforeAll(async () => {
  upstream = await openScriptedUpstream((response, { path }) =>
    path.startsWith('/v1/messages')
      ? sendJson(response, 200, {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: CLAUDE,
          content: [{ type: 'text', text: 'done' }],
          stop_reason: 'end_turn',
          usage: { input_tokens: 100, output_tokens: 20 },
        })
      : path.startsWith('/v1/responses')
        ? sendJson(response, 200, {
            id: 'resp_1',
            object: 'response',
            status: 'completed',
            model: CODEX,
            output: [],
            usage: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
          })
        : sendJson(response, 200, {
            id: 'c',
            object: 'chat.completion',
            created: 1,
            model: CODEX,
            choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
            usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
          }),
  )
  harness = await openRelayHarness()
  await harness.addChannel(upstream.url, { type: 14, models: CLAUDE })
  await harness.addChannel(upstream.url, { models: CODEX })
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})

/** The recorded body with three members that no vendor has: at the top, in a message and in a tool. */
function withInvented({ body }: RecordedRequest, model: string): Readonly<Record<string, unknown>> {
  const turns = 'messages' in body ? 'messages' : 'input'
  return {
    invented_thing: { depth: 3 },
    ...body,
    model,
    stream: false,
    [turns]: extended(body[turns], { invented_turn: true }),
    ...('tools' in body && { tools: extended(body['tools'], { invented_tool: [1] }) }),
  }
}

function extended(list: unknown, more: object): unknown {
  return Array.isArray(list) ? list.map((item: unknown) => ({ ...Object(item), ...more })) : list
}

test.each([
  ['claude-code', CLAUDE, '/v1/messages'],
  ['codex', CODEX, '/v1/responses'],
])('a recorded task of %s with three invented members succeeds on a gift', async (program, model, path) => {
  const { bearer, userId } = await harness.addCaller({ quota: GIFT, isGift: true })
  const recording = readRecordings().find((each) => each.program === program)
  const requests = (recording?.requests ?? []).filter((request) => request.path.startsWith(path))
  expect(requests.length).toBeGreaterThan(2)
  for (const request of requests) {
    if (request.path.includes('count_tokens')) continue
    const before = upstream.received.length
    const answer = await harness.send({ bearer, path, body: withInvented(request, model) })
    expect(answer.status, answer.text).toBe(200)
    expect(upstream.received[before]?.text).not.toContain('invented')
    expect(answer.headers['x-tollgate-dropped']).toContain('invented_thing')
  }
  await harness.quiet()
  const { remaining = 0n } = (await harness.balance(userId)) ?? {}
  expect(remaining).toBeGreaterThan(0n)
})

const chat = { model: CODEX, messages: [{ role: 'user', content: 'hi' }], max_tokens: 10, of_tomorrow: 1 }

async function sentBy(parts: { isGift: boolean; group?: string }, body: object = chat) {
  const { bearer } = await harness.addCaller({
    quota: GIFT,
    isGift: parts.isGift,
    ...(parts.group !== undefined && { user: { group_name: parts.group } }),
  })
  const before = upstream.received.length
  const answer = await harness.send({ bearer, body })
  await harness.quiet()
  return { answer, sent: upstream.received[before]?.body }
}

test('an unknown member passes for an account that has paid', async () => {
  const { answer, sent } = await sentBy({ isGift: false })
  expect(sent).toMatchObject({ of_tomorrow: 1 })
  expect(answer.headers['x-tollgate-dropped']).toBeUndefined()
})

test('an unknown member is taken out for others, and named in the answer and on the row', async () => {
  const { answer, sent } = await sentBy({ isGift: true })
  expect(answer.status).toBe(200)
  expect(sent).not.toHaveProperty('of_tomorrow')
  expect(answer.headers['x-tollgate-dropped']).toBe('of_tomorrow')
  const row = (await harness.logs()).at(-1)
  expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ dropped: ['of_tomorrow'] })
})

test('self-use passes unknown members of everybody', async () => {
  await harness.setOption('SelfUseModeEnabled', 'true')
  const { sent } = await sentBy({ isGift: true })
  await harness.setOption('SelfUseModeEnabled', 'false')
  expect(sent).toMatchObject({ of_tomorrow: 1 })
})

test('the operator’s rule of a group decides before what the account has paid', async () => {
  const rules = [
    { group: 'default', rule: 'refuse' },
    { group: 'vip', rule: 'take-out' },
  ]
  await harness.setOption('member_setting.unknown_members', JSON.stringify(rules))
  const refused = await sentBy({ isGift: false })
  const taken = await sentBy({ isGift: false, group: 'vip' })
  await harness.setOption('member_setting.unknown_members', '[{"group":"default","rule":"pass"}]')
  const passed = await sentBy({ isGift: true })
  await harness.setOption('member_setting.unknown_members', '[]')
  expect(refused.answer.status).toBe(400)
  expect(refused.answer.text).toContain('of_tomorrow')
  expect(taken.sent ?? {}).not.toHaveProperty('of_tomorrow')
  expect(passed.sent).toMatchObject({ of_tomorrow: 1 })
})

test('a member that the operator found harmless passes for everybody', async () => {
  await harness.setOption('member_setting.harmless_members', '["chat of_tomorrow"]')
  const { sent } = await sentBy({ isGift: true })
  await harness.setOption('member_setting.harmless_members', '[]')
  expect(sent).toMatchObject({ of_tomorrow: 1 })
})

test('a large body loses its unknown members in the thread that reads it', async () => {
  const content = 'a b '.repeat(300_000)
  const body = { ...chat, messages: [{ role: 'user', content, of_a_turn: 2 }], preset: 'dear' }
  const { bearer } = await harness.addCaller({ quota: 50_000_000n, isGift: true })
  const before = upstream.received.length
  const answer = await harness.send({ bearer, body })
  expect(answer.status, answer.text).toBe(200)
  expect(upstream.received[before]?.bytes.length).toBeGreaterThan(content.length)
  expect(upstream.received[before]?.text).not.toMatch(/of_tomorrow|of_a_turn|preset/)
})
