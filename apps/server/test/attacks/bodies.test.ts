import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import { CHAT } from '../relay/send.ts'
import { openScriptedUpstream, type ScriptedUpstream } from '../relay/upstream.ts'
import { hostileBodies } from './hostile-bodies.ts'
import { chosen, reportAttacks } from './index.ts'

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string
let count = 0

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  await harness.addChannel(upstream.url)
  await harness.addChannel(upstream.url, { type: 2, models: 'mj_imagine', key: 'drawing-key' })
  await harness.addChannel(upstream.url, { type: 36, models: 'suno_music', key: 'song-key' })
  await harness.addChannel(upstream.url, { type: 50, models: 'kling-v1', key: 'ak123|sk456' })
  await harness.setOption('ModelPrice', '{"kling-v1":0.1,"mj_imagine":0.1,"suno_music":0.1}')
  ;({ bearer } = await harness.addCaller())
})
afterAll(async () => {
  reportAttacks({ kind: 'bodies', count })
  await harness.close()
  await upstream.close()
})

test('every hostile body is refused as a client error, before quota is held or an upstream is called', async () => {
  for (const { name, text, coding, code, path } of chosen(hostileBodies)) {
    const headers = coding === undefined ? {} : { 'content-encoding': coding }
    const answer = await harness.send({ bearer, headers, body: text, ...(path !== undefined && { path }) })
    expect([400, 413, 415], `${name}: ${answer.text.slice(0, 200)}`).toContain(answer.status)
    if (code !== 'any') expect(answer.error['code'], name).toBe(code)
    count++
  }
  await harness.quiet()
  const bugs = harness.said.filter(({ level }) => level === 'error')
  expect({ holds: await harness.openHolds(), bugs, asked: upstream.received.length }).toEqual({
    holds: 0,
    bugs: [],
    asked: 0,
  })
})

test('compression bombs from an account without a balance are refused before they are unpacked', async () => {
  const { bearer: poor } = await harness.addCaller({ quota: 0n })
  for (const { name, text, coding = '' } of hostileBodies.filter(({ name }) =>
    /bomb|empty files/.test(name),
  )) {
    const headers = { 'content-encoding': coding }
    const answer = await harness.send({ bearer: poor, headers, body: text })
    expect([403, 429], `${name}: ${answer.text.slice(0, 200)}`).toContain(answer.status)
    expect(harness.relay.bodyBytes, name).toBe(0)
  }
})

test('malformed ids are refused without an error in the log', async () => {
  const body = '{"ids":[{"toString":null}]}'
  expect((await harness.send({ bearer, path: '/mj/task/list-by-condition', body })).status).toBe(400)
  const modalities = { ...CHAT, modalities: [{ toString: null }] }
  expect((await harness.send({ bearer, body: modalities })).status).toBe(200)
  expect(harness.said.filter(({ level }) => level === 'error')).toEqual([])
})

test('expensive bodies are read by a worker thread instead of the event loop', async () => {
  const { bearer: rich } = await harness.addCaller({ quota: 1_000_000_000n })
  const list = '0,'.repeat(60_000)
  await harness.setOption('CheckSensitiveEnabled', 'false')
  const bodies = [
    JSON.stringify({ ...CHAT, x: 'a'.repeat(2 ** 20) }),
    `{"model":"gpt-4o","messages":${JSON.stringify(CHAT.messages)},"x":[${list}0]}`,
  ]
  for (const body of bodies) {
    const before = harness.relay.readsInThreads
    expect((await harness.send({ bearer: rich, body })).status).toBe(200)
    expect(harness.relay.readsInThreads).toBe(before + 1)
  }
  await harness.setOption('CheckSensitiveEnabled', 'true')
  await harness.setOption('CheckSensitiveOnPromptEnabled', 'true')
  await harness.setOption('SensitiveWords', 'regex:(x|y)+z')
  const before = harness.relay.readsInThreads
  const text = { ...CHAT, messages: [{ role: 'user', content: 'xy'.repeat(10_000) }] }
  expect((await harness.send({ bearer: rich, body: text })).status).toBe(200)
  expect(harness.relay.readsInThreads).toBe(before + 1)
  await harness.setOption('CheckSensitiveEnabled', 'false')
  expect((await harness.send({ bearer: rich, body: CHAT })).status).toBe(200)
  expect(harness.relay.readsInThreads).toBe(before + 1)
})

test('JSON in the arguments of tool calls has the same limits as a body', async () => {
  await harness.addChannel(upstream.url, { type: 14, models: 'claude-haiku-4-5-20251001' })
  await harness.setOption('ModelRatio', '{"gpt-4o":1.25,"claude-haiku-4-5-20251001":1}')
  const { bearer: rich } = await harness.addCaller({ quota: 1_000_000_000n })
  for (const [written, code] of [
    [`{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`, 'body_too_deep'],
    [`{"a":[${'0,'.repeat(200_000)}0]}`, 'body_too_many_values'],
  ] as const) {
    const called = { id: 'c', type: 'function', function: { name: 'f', arguments: written } }
    const messages = [
      ...CHAT.messages,
      { role: 'assistant', content: null, tool_calls: [called] },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
    ]
    const body = { model: 'claude-haiku-4-5-20251001', messages }
    expect((await harness.send({ bearer: rich, body })).error).toMatchObject({ code })
  }
  expect(harness.said.filter(({ level }) => level === 'error')).toEqual([])
})

test('a body just within the limits is accepted', async () => {
  const values = `{"model":"gpt-4o","messages":${JSON.stringify(CHAT.messages)},"x":[${'0,'.repeat(199_900)}0]}`
  expect((await harness.send({ bearer, body: values })).status).toBe(200)
  const more = Object.fromEntries(Array.from({ length: 998 }, (_, at) => [`n${at}`, 1]))
  expect((await harness.send({ bearer, body: { ...CHAT, ...more } })).status).toBe(200)
  const tooMany = await harness.send({ bearer, body: { ...CHAT, ...more, x: 1 } })
  expect(tooMany.error).toMatchObject({ code: 'body_too_many_members' })
  const members = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`n${at}`, 1]))
  expect((await harness.send({ bearer, body: { ...CHAT, x: members } })).status).toBe(200)
})
