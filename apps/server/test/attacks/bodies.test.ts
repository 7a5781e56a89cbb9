import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRelayBench, type RelayBench } from '../relay/bench.ts'
import { CHAT } from '../relay/send.ts'
import { openScriptedUpstream, type ScriptedUpstream } from '../relay/upstream.ts'
import { hostileBodies } from './hostile-bodies.ts'
import { chosen, reportAttacks } from './index.ts'

let bench: RelayBench
let upstream: ScriptedUpstream
let bearer: string
let count = 0

beforeAll(async () => {
  bench = await openRelayBench()
  upstream = await openScriptedUpstream()
  await bench.addChannel(upstream.url)
  await bench.addChannel(upstream.url, { type: 2, models: 'mj_imagine', key: 'drawing-key' })
  await bench.addChannel(upstream.url, { type: 36, models: 'suno_music', key: 'song-key' })
  await bench.addChannel(upstream.url, { type: 50, models: 'kling-v1', key: 'ak123|sk456' })
  await bench.setOption('ModelPrice', '{"kling-v1":0.1,"mj_imagine":0.1,"suno_music":0.1}')
  ;({ bearer } = await bench.addCaller())
})
afterAll(async () => {
  reportAttacks({ kind: 'bodies', count })
  await bench.close()
  await upstream.close()
})

test('every hostile body is refused as the caller’s fault, before anything is held or asked', async () => {
  for (const { name, text, code, path } of chosen(hostileBodies)) {
    const answer = await bench.send({ bearer, body: text, ...(path !== undefined && { path }) })
    expect([400, 413], `${name}: ${answer.text.slice(0, 200)}`).toContain(answer.status)
    if (code !== 'any') expect(answer.error['code'], name).toBe(code)
    count++
  }
  await bench.quiet()
  const bugs = bench.said.filter(({ level }) => level === 'error')
  expect({ holds: await bench.openHolds(), bugs, asked: upstream.received.length }).toEqual({
    holds: 0,
    bugs: [],
    asked: 0,
  })
})

test('ids that are no ids are refused without a line in the log', async () => {
  const body = '{"ids":[{"toString":null}]}'
  expect((await bench.send({ bearer, path: '/mj/task/list-by-condition', body })).status).toBe(400)
  const modalities = { ...CHAT, modalities: [{ toString: null }] }
  expect((await bench.send({ bearer, body: modalities })).status).toBe(200)
  expect(bench.said.filter(({ level }) => level === 'error')).toEqual([])
})

test('a body just within the limits goes on', async () => {
  const values = `{"model":"gpt-4o","messages":${JSON.stringify(CHAT.messages)},"x":[${'0,'.repeat(199_900)}0]}`
  expect((await bench.send({ bearer, body: values })).status).toBe(200)
  const members = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`n${at}`, 1]))
  expect((await bench.send({ bearer, body: { ...CHAT, x: members } })).status).toBe(200)
})
