import { randomUUID } from 'node:crypto'
import { redisCoordination } from '@tollgate/coordination/redis-coordination'
import { systemClock } from '@tollgate/kit/clock'
import { Secret } from '@tollgate/kit/secret'
import { channelKeyHash } from '@tollgate/store/channels/keys'
import { answeringRedis } from '@tollgate/testkit/redis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { messageStreamWith, messageWith } from './messages-upstream.ts'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import {
  failWith,
  openScriptedUpstream,
  sendJson,
  type Responder,
  type ScriptedUpstream,
} from './upstream.ts'

/** Signatures and encrypted reasoning go back to the account that wrote them, and to no other. */

const CLAUDE = 'claude-sonnet-5'
const CODEX = 'gpt-5.3-codex'
const GEMINI = 'gemini-3-pro-preview'
const redis = await answeringRedis()

let harness: RelayHarness
const open: { close(): Promise<unknown> | void }[] = []

beforeEach(async () => {
  harness = await openHarness()
})
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function openHarness(options: Parameters<typeof openRelayHarness>[0] = {}): Promise<RelayHarness> {
  const opened = await openRelayHarness({ random: () => 0, ...options })
  open.unshift(opened)
  await opened.setOption('ModelRatio', JSON.stringify({ [CLAUDE]: 1, [CODEX]: 1, [GEMINI]: 1 }))
  await opened.setOption('RetryTimes', '2')
  return opened
}

interface Vendor extends ScriptedUpstream {
  /** Keys of the requests, in their order. */
  readonly keys: () => readonly string[]
}

/** Anthropic, OpenAI or Google with one account: it signs as `account`, and reads what begins so. */
async function openAccount(account: string): Promise<Vendor> {
  let count = 0
  const respond: Responder = (response, request) => {
    const foreign = foreignSeal(request.text, account)
    if (foreign !== undefined) return refuse(response, request.path)
    return answer(response, request, `${account}-${++count}`)
  }
  const upstream = await openScriptedUpstream(respond)
  open.push(upstream)
  return Object.assign(upstream, {
    keys: () =>
      upstream.received.map(({ headers }) => String(headers['x-api-key'] ?? headers['authorization'])),
  })
}

const SEALS =
  /"(?:signature|data|encrypted_content|thoughtSignature)":"([^"]*)"|"type":"thinking","thinking":"[^"]*"\}/g

function foreignSeal(text: string, account: string): string | undefined {
  const seals = [...text.matchAll(SEALS)].map(([all, seal]) => seal ?? all)
  return seals.find((seal) => !seal.startsWith(account) && seal !== 'skip_thought_signature_validator')
}

function refuse(response: Parameters<Responder>[0], path: string): ReturnType<Responder> {
  if (path.includes('/messages'))
    return failWith(400, {
      type: 'invalid_request_error',
      message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
    })(response, never)
  if (path.includes('/responses'))
    return failWith(400, {
      message: 'The encrypted content gAAA...DQ== could not be verified.',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_encrypted_content',
    })(response, never)
  return failWith(400, { code: 400, message: 'Corrupted thought signature.', status: 'INVALID_ARGUMENT' })(
    response,
    never,
  )
}

const never: Parameters<Responder>[1] = { path: '', headers: {}, text: '', bytes: Buffer.alloc(0), body: {} }

const answer = (response: Parameters<Responder>[0], request: Parameters<Responder>[1], seal: string) => {
  if (request.path.includes('/messages')) {
    const blocks = [
      { type: 'thinking', thinking: 'hm', signature: seal },
      { type: 'text', text: 'done' },
    ]
    const isStream = request.body['stream'] === true
    return (isStream ? messageStreamWith(blocks) : messageWith(blocks))(response, request)
  }
  if (request.path.includes('/responses')) {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: seal }
    const content = [{ type: 'output_text', text: 'done', annotations: [] }]
    const output = [
      reasoning,
      { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content },
    ]
    const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
    return sendJson(response, 200, { id: 'r', object: 'response', status: 'completed', output, usage })
  }
  const parts = [{ functionCall: { name: 'f', args: {} }, thoughtSignature: seal }]
  const candidates = [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }]
  const usageMetadata = { promptTokenCount: 7, candidatesTokenCount: 9, totalTokenCount: 16 }
  return sendJson(response, 200, { responseId: 'r', candidates, usageMetadata })
}

type Send = (path: string, body: object, headers?: Record<string, string>) => Promise<Response>

async function openCaller(at: RelayHarness = harness): Promise<Send> {
  const { bearer } = await at.addCaller()
  return (path, body, headers = {}) =>
    fetch(at.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
}

const thinking = (signature: string) => ({ type: 'thinking', thinking: 'hm', signature })
const redacted = (data: string) => ({ type: 'redacted_thinking', data })

function messages(...blocks: readonly object[]): object {
  const turns = blocks.flatMap((block) => [
    { role: 'assistant', content: [block, { type: 'text', text: 'so' }] },
    { role: 'user', content: 'and?' },
  ])
  return { model: CLAUDE, max_tokens: 9, messages: [{ role: 'user', content: 'x' }, ...turns] }
}

function items(...encrypted: readonly string[]): object {
  const turns = encrypted.flatMap((content) => [
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: content },
    { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'so' }] },
    { role: 'user', content: 'and?' },
  ])
  return { model: CODEX, store: false, input: [{ role: 'user', content: 'x' }, ...turns] }
}

function contents(...signatures: readonly string[]): object {
  const turns = signatures.flatMap((thoughtSignature) => [
    { role: 'model', parts: [{ functionCall: { name: 'f', args: {} }, thoughtSignature }] },
    { role: 'user', parts: [{ functionResponse: { name: 'f', response: { r: 1 } } }] },
  ])
  return { contents: [{ role: 'user', parts: [{ text: 'x' }] }, ...turns] }
}

const GENERATE = `/v1beta/models/${GEMINI}:generateContent`
const kinds: readonly [string, number, string, string, (...seals: string[]) => object][] = [
  ['a signature of thinking', 14, CLAUDE, '/v1/messages', (...seals) => messages(...seals.map(thinking))],
  ['redacted thinking', 14, CLAUDE, '/v1/messages', (...seals) => messages(...seals.map(redacted))],
  ['encrypted reasoning', 1, CODEX, '/v1/responses', items],
  ['a signature of a call', 24, GEMINI, GENERATE, contents],
]

test.each(kinds)(
  '%s of an unknown author is refused once and left out from then on',
  async (_name, type, models, path, ask) => {
    const vendor = await openAccount('own')
    await harness.addChannel(vendor.url, { type, models })
    const send = await openCaller()
    const first = await send(path, ask('foreign-1'))
    expect(first.status, await first.text()).toBe(200)
    expect(first.headers.get('x-tollgate-dropped')).toContain('sealed_reasoning')
    expect(vendor.received).toHaveLength(2)
    const second = await send(path, ask('foreign-1', 'own-1'))
    expect(second.status).toBe(200)
    expect(vendor.received).toHaveLength(3)
    expect(vendor.received.at(-1)?.text).toContain('own-1')
    expect(vendor.received.at(-1)?.text).not.toContain('foreign-1')
  },
)

test.each(kinds)(
  '%s goes to the channel that wrote it, and is left out where that cannot serve',
  async (_name, type, models, path, ask) => {
    const [one, two] = [await openAccount('one'), await openAccount('two')]
    await harness.addChannel(one.url, { type, models, priority: 5 })
    await harness.addChannel(two.url, { type, models, priority: 5, key: 'upstream-key-2' })
    const send = await openCaller()
    const own = one.respond
    one.respond = failWith(503)
    expect((await send(path, ask())).status).toBe(200)
    expect(two.received).toHaveLength(1)
    one.respond = own
    // The first channel could serve again; the second one wrote the seal.
    expect((await send(path, ask('two-1'))).status).toBe(200)
    expect(two.received.at(-1)?.text).toContain('two-1')
    two.respond = failWith(503)
    const moved = await send(path, ask('two-1', 'two-2'))
    expect(moved.status, await moved.text()).toBe(200)
    expect(moved.headers.get('x-tollgate-dropped')).toContain('sealed_reasoning')
    expect(one.received.at(-1)?.text).not.toMatch(/two-/)
    await harness.settled()
    const rows = await harness.entries()
    expect(rows).toHaveLength(3)
  },
)

test('a signature in a stream is known from the first turn on', async () => {
  const [one, two] = [await openAccount('one'), await openAccount('two')]
  await harness.addChannel(one.url, { type: 14, models: CLAUDE })
  await harness.addChannel(two.url, { type: 14, models: CLAUDE, key: 'upstream-key-2' })
  const send = await openCaller()
  const own = one.respond
  one.respond = failWith(503)
  const streamed = await send('/v1/messages', { ...messages(), stream: true })
  expect(await streamed.text()).toContain('two-1')
  one.respond = own
  two.respond = failWith(503)
  const moved = await send('/v1/messages', messages(thinking('two-1')))
  expect(moved.status).toBe(200)
  expect(one.received.filter(({ text }) => text.includes('two-1'))).toEqual([])
})

test('channels with the same account label read what each other wrote', async () => {
  const [one, two] = [await openAccount('acme'), await openAccount('acme')]
  const setting = JSON.stringify({ account: 'Acme Ltd' })
  await harness.addChannel(one.url, { type: 14, models: CLAUDE, setting })
  await harness.addChannel(two.url, { type: 14, models: CLAUDE, setting, key: 'upstream-key-2' })
  const send = await openCaller()
  expect((await send('/v1/messages', messages())).status).toBe(200)
  one.respond = failWith(503)
  const moved = await send('/v1/messages', messages(thinking('acme-1')))
  expect(moved.headers.get('x-tollgate-dropped')).toBeNull()
  expect(two.received.at(-1)?.text).toContain('acme-1')
})

test('keys of one channel are accounts of their own, unless they are labelled', async () => {
  const vendor = await openAccount('own')
  const id = await harness.addChannel(vendor.url, { type: 14, models: CLAUDE, key: 'key-a\nkey-b\nkey-c' })
  const send = await openCaller()
  expect((await send('/v1/messages', messages())).status).toBe(200)
  for (let turn = 0; turn < 4; turn++)
    expect((await send('/v1/messages', messages(thinking('own-1')))).status).toBe(200)
  expect(new Set(vendor.keys()).size).toBe(1)
  const key_accounts = { [channelKeyHash(id + 1, 'key-a')]: 'A', [channelKeyHash(id + 1, 'key-b')]: 'A' }
  const labelled = await openAccount('mine')
  const setting = JSON.stringify({ key_accounts })
  await harness.addChannel(labelled.url, { type: 14, models: 'claude-opus-5', key: 'key-a\nkey-b', setting })
  await harness.setOption('ModelRatio', JSON.stringify({ [CLAUDE]: 1, 'claude-opus-5': 1 }))
  const opus = (...blocks: readonly object[]) => ({ ...messages(...blocks), model: 'claude-opus-5' })
  expect((await send('/v1/messages', opus())).status).toBe(200)
  labelled.respond = (response, request) =>
    labelled.received.length === 2 ? failWith(429)(response, request) : answer(response, request, 'mine-9')
  await send('/v1/messages', opus(thinking('mine-1')))
  const after = await send('/v1/messages', opus(thinking('mine-1')))
  expect(after.headers.get('x-tollgate-dropped')).toBeNull()
  expect(new Set(labelled.keys()).size).toBe(2)
})

test('what one user sent back changes nothing for another', async () => {
  const vendor = await openAccount('own')
  await harness.addChannel(vendor.url, { type: 14, models: CLAUDE })
  const [alice, bob] = [await openCaller(), await openCaller()]
  expect((await alice('/v1/messages', messages(thinking('shared')))).status).toBe(200)
  expect(vendor.received).toHaveLength(2)
  expect((await bob('/v1/messages', messages(thinking('shared')))).status).toBe(200)
  expect(vendor.received).toHaveLength(4)
})

test('a refusal that nothing can be taken out for ends the call as before', async () => {
  const vendor = await openScriptedUpstream(
    failWith(400, { code: 'invalid_encrypted_content', message: 'no' }),
  )
  open.push(vendor)
  await harness.addChannel(vendor.url, { type: 1, models: CODEX })
  const send = await openCaller()
  expect((await send('/v1/responses', items())).status).toBe(400)
  expect(vendor.received).toHaveLength(1)
  expect((await send('/v1/responses', items('a'))).status).toBe(400)
  expect(vendor.received).toHaveLength(3)
})

test.skipIf(redis === undefined)('a refusal on one node is known on the other', async () => {
  const prefix = `tollgate-test-${randomUUID()}:`
  const nodes = await Promise.all(
    [0, 1].map(async () => {
      const coordination = await redisCoordination({
        url: new Secret(redis?.url ?? ''),
        prefix,
        clock: systemClock,
        onFailure: (error) => expect.fail(String(error)),
        onChange: () => undefined,
      })
      open.push(coordination)
      return openHarness({ ttlCache: (name, options) => coordination.ttlCache(name, options) })
    }),
  )
  const vendor = await openAccount('own')
  const [one, two] = nodes
  for (const node of nodes) await node.addChannel(vendor.url, { type: 14, models: CLAUDE })
  expect((await (await openCaller(one))('/v1/messages', messages(thinking('foreign')))).status).toBe(200)
  expect(vendor.received).toHaveLength(2)
  expect((await (await openCaller(two))('/v1/messages', messages(thinking('foreign')))).status).toBe(200)
  expect(vendor.received).toHaveLength(3)
})
