import { recordAt, recordsAt, textAt } from '@tollgate/dialects/json'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { messageWith } from '../relay/messages-upstream.ts'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import {
  answerWith,
  failWith,
  openScriptedUpstream,
  sendJson,
  type ReceivedRequest,
  type ScriptedUpstream,
} from '../relay/upstream.ts'

/** A relay of Claude that does not say what is behind it: its refusals teach which members and betas it takes. */

const MODEL = 'claude-sonnet-5'
const BETAS = 'claude-code-20250219,context-management-2025-06-27,prompt-caching-scope-2026-01-05'

let harness: RelayHarness
let vendor: ScriptedUpstream
let send: (body: object, beta?: string) => Promise<Response>

beforeAll(async () => {
  harness = await openRelayHarness()
  await harness.setOption('ModelRatio', JSON.stringify({ [MODEL]: 1, 'gpt-4o': 1 }))
  const { bearer } = await harness.addCaller()
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  send = (body, beta = '') =>
    fetch(`${harness.url}/v1/messages`, {
      method: 'POST',
      headers: { ...headers, ...(beta !== '' && { 'anthropic-beta': beta }) },
      body: JSON.stringify({
        model: MODEL,
        max_tokens: 9,
        messages: [{ role: 'user', content: 'x' }],
        ...body,
      }),
    })
})
afterAll(() => harness.close())
beforeEach(async () => {
  vendor = await openScriptedUpstream()
  await harness.db.updateTable('channels').set({ status: 2 }).execute()
  await harness.addChannel(vendor.url, { type: 14, models: MODEL })
})
afterEach(() => vendor.close())

type Refusal = (request: ReceivedRequest) => string | undefined

function refuseWith(refusal: Refusal): void {
  vendor.respond = (response, request) => {
    const message = refusal(request)
    if (message === undefined) return messageWith()(response, request)
    const error = { type: 'invalid_request_error', message }
    return sendJson(response, 400, { type: 'error', error, request_id: 'req_1' })
  }
}

const never: ReceivedRequest = { path: '', headers: {}, text: '', bytes: Buffer.alloc(0), body: {} }
const marker = { type: 'ephemeral', scope: 'global' }
const tool = (more: object) => ({ tools: [{ name: 'f', input_schema: { type: 'object' }, ...more }] })
const system = [{ type: 'text', text: 's', cache_control: marker }]

test.each<[string, object, string, string]>([
  ['context_management', { context_management: { edits: [] } }, 'context_management', 'context_management'],
  ['a member of a tool', tool({ defer_loading: true }), 'tools.0.custom.defer_loading', 'defer_loading'],
  ['another member of a tool', tool({ strict: true }), 'tools.0.custom.strict', 'strict'],
  ['an effort', { output_config: { effort: 'high' } }, 'output_config.effort', 'reasoning_effort'],
  ['a scope', { system }, 'system.0.cache_control.ephemeral.scope', 'cache_control.scope'],
])('%s is left out once it was refused, in later calls too', async (_name, body, place, name) => {
  const member = place.split('.').at(-1) ?? ''
  refuseWith(({ text }) =>
    text.includes(`"${member}"`) ? `${place}: Extra inputs are not permitted` : undefined,
  )
  const first = await send(body)
  expect(first.status, await first.text()).toBe(200)
  expect(first.headers.get('x-tollgate-dropped')).toContain(name)
  expect((await send(body)).status).toBe(200)
  expect(vendor.received).toHaveLength(3)
})

test('half of a character in a body of the own format is replaced once it was refused', async () => {
  refuseWith(({ text }) =>
    /\\ud83d(?!\\u)/.test(text)
      ? 'The request body is not valid JSON: no low surrogate in string: line 1 column 90 (char 89)'
      : undefined,
  )
  const body = { messages: [{ role: 'user', content: 'cut \ud83d here' }] }
  expect((await send(body)).status).toBe(200)
  expect(vendor.received.at(-1)?.body['messages']).toEqual([{ role: 'user', content: 'cut \ufffd here' }])
  expect((await send(body)).status).toBe(200)
  expect(vendor.received).toHaveLength(3)
})

test('betas that no cloud takes are left out once they were refused', async () => {
  refuseWith(({ headers }) =>
    String(headers['anthropic-beta'] ?? '').includes('scope')
      ? 'Unexpected value(s) `prompt-caching-scope-2026-01-05` for the `anthropic-beta` header. Please consult our documentation'
      : undefined,
  )
  const body = { context_management: { edits: [] } }
  const first = await send(body, BETAS)
  expect(first.status, await first.text()).toBe(200)
  expect(first.headers.get('x-tollgate-dropped')).toContain('prompt-caching-scope-2026-01-05')
  expect(vendor.received.at(-1)?.headers['anthropic-beta']).toBe('context-management-2025-06-27')
  expect(vendor.received.at(-1)?.text).toContain('context_management')
  expect((await send(body, BETAS)).status).toBe(200)
  expect(vendor.received).toHaveLength(3)
})

test('the refusal of a beta that the caller made up teaches nothing', async () => {
  refuseWith(({ headers }) => (headers['anthropic-beta'] === undefined ? undefined : 'invalid beta flag'))
  expect((await send({}, 'made-up-2026-01-01')).status).toBe(400)
  expect(vendor.received).toHaveLength(1)
  refuseWith(() => undefined)
  expect((await send({}, BETAS)).status).toBe(200)
  expect(vendor.received.at(-1)?.headers['anthropic-beta']).toBe(BETAS)
})

test('long descriptions of functions are cut once they were refused, and nothing of them is lost', async () => {
  const chat = await openScriptedUpstream((response, { body }) => {
    const [tool] = recordsAt(body, 'tools')
    const length = textAt(recordAt(tool ?? {}, 'function') ?? {}, 'description')?.length ?? 0
    if (length <= 1024) return answerWith()(response, never)
    const message = `Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024, but got a string with length ${length} instead.`
    return failWith(400, { message, type: 'invalid_request_error', code: 'string_above_max_length' })(
      response,
      never,
    )
  })
  await harness.addChannel(chat.url, { type: 1, models: 'gpt-4o' })
  const description = `${'word '.repeat(400)}the end`
  const tools = [{ name: 'f', description, input_schema: { type: 'object' } }]
  expect((await send({ model: 'gpt-4o', tools })).status).toBe(200)
  expect((await send({ model: 'gpt-4o', tools })).status).toBe(200)
  expect(chat.received).toHaveLength(3)
  expect(chat.received.at(-1)?.text).toContain('the end')
  await chat.close()
})

test('the refusal of content teaches nothing', async () => {
  refuseWith(() => 'messages.0.content.0.text: Extra inputs are not permitted')
  expect((await send({})).status).toBe(400)
  expect(vendor.received).toHaveLength(1)
})
