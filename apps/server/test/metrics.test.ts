import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from './harness.ts'
import { relayCall } from './nodes/operator.ts'
import {
  type ScriptedUpstream,
  answerWith,
  failWith,
  openScriptedUpstream,
  streamWith,
} from './relay/upstream.ts'
import { addTwoChannels } from './two-channels.ts'

const TOKEN = 'a token for metrics'
const MODEL = 'gpt-4o'

let upstream: ScriptedUpstream
let gateway: TestServer
let key = ''

beforeAll(async () => {
  upstream = await openScriptedUpstream()
  gateway = await startTestServer({ isInMemory: true, environment: { METRICS_TOKEN: TOKEN } })
  key = await addTwoChannels(gateway, { url: upstream.url, model: MODEL })
})
afterAll(async () => {
  await Promise.all([gateway.close(), upstream.close()])
})

async function scrape(authorization: string): Promise<string> {
  const response = await fetch(`${gateway.address}/metrics`, { headers: { authorization } })
  expect(response.status, authorization).toBe(200)
  return response.text()
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

test('the token is accepted as a bearer token and as a password, and nothing else is', async () => {
  await scrape(`Bearer ${TOKEN}`)
  await scrape(basic(`prometheus:${TOKEN}`))
  await scrape(basic(`:${TOKEN}`))
  for (const authorization of [
    '',
    'Bearer',
    basic(TOKEN + ':'),
    basic('a:b'),
    `Basic ${TOKEN}`,
    'Bearer wrong',
  ]) {
    const response = await fetch(`${gateway.address}/metrics`, { headers: { authorization } })
    expect(response.status, authorization).toBe(401)
  }
})

test('a call with a retry, a stream and refusals appear in the series', async () => {
  let calls = 0
  upstream.respond = (response, request) => {
    const responder =
      ++calls === 1
        ? failWith(500, { message: 'down', code: 'made_up' })
        : request.body['stream'] === true
          ? streamWith()
          : answerWith()
    return responder(response, request)
  }
  const call = (body: Record<string, unknown>, token = key) =>
    relayCall({ address: gateway.address, key: token, body: { model: MODEL, ...body } })
  expect((await call({})).status).toBe(200)
  expect((await call({ stream: true })).status).toBe(200)
  expect((await call({}, 'sk-nobody')).status).toBe(401)
  expect((await call({ model: 'invented' })).status).toBe(503)

  const text = await scrape(`Bearer ${TOKEN}`)
  const ends = (name: string, channel: number) =>
    valueOf(
      text,
      `tollgate_${name}{operation="chat",model="${MODEL}",channel="${channel}",group="default",outcome="complete"}`,
    )
  expect((ends('requests_total', 1) ?? 0) + (ends('requests_total', 2) ?? 0)).toBe(2)
  const { used_quota: used } = await gateway.root.call(routes.user.readSelf)
  expect((ends('quota_charged_total', 1) ?? 0) + (ends('quota_charged_total', 2) ?? 0)).toBe(used)
  expect(
    valueOf(
      text,
      `tollgate_upstream_requests_total{model="${MODEL}",channel="1",status="500",reason="upstream_error"}`,
    ),
  ).toBe(1)
  expect(valueOf(text, 'tollgate_retries_total{reason="upstream_error"}')).toBe(1)
  expect(text).not.toContain('invented')
  expect(text).not.toContain('made_up')
  const ofModel = `gen_ai_operation_name="chat",gen_ai_provider_name="openai",gen_ai_request_model="${MODEL}"`
  expect(valueOf(text, `gen_ai_client_token_usage_sum{${ofModel},gen_ai_token_type="output"}`)).toBe(10)
  expect(valueOf(text, `gen_ai_server_request_duration_seconds_count{${ofModel}}`)).toBe(2)
  expect(valueOf(text, `gen_ai_server_time_to_first_token_seconds_count{${ofModel}}`)).toBe(1)
  expect(valueOf(text, 'tollgate_channel_up{channel="1"}')).toBeDefined()
  expect(valueOf(text, 'tollgate_audit_findings')).toBe(0)
  expect(valueOf(text, 'tollgate_outbox_waiting')).toBe(0)
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

test.skipIf(!hasPromtool)('promtool accepts the page (needs promtool: npm run test:ops)', async () => {
  const input = await scrape(`Bearer ${TOKEN}`)
  const { stdout, stderr, status } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })
  expect(`${stdout}${stderr}`).toBe('')
  expect(status).toBe(0)
})

test.each(['deploy/alerts.yml', 'deploy/grafana.json'])('%s names only metrics that exist', async (file) => {
  const text = await scrape(`Bearer ${TOKEN}`)
  const content = await readFile(new URL(`../../../${file}`, import.meta.url), 'utf8')
  const named = new Set(content.match(/\b(?:tollgate|gen_ai|process|nodejs)_[a-z_]+\b/g))
  const known = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
  const labels = new Set([...text.matchAll(/(\w+)="/g)].map(([, label = '']) => label))
  expect([...named].filter((name) => !known.has(name) && !labels.has(name))).toEqual([])
  expect(named.size).toBeGreaterThan(5)
})
