import { routes } from '@tollgate/contract/routes'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '@tollgate/testkit/otlp-receiver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, startTestServer } from './harness.ts'
import {
  type ScriptedUpstream,
  answerWith,
  failWith,
  openScriptedUpstream,
  streamWith,
} from './relay/upstream.ts'
import { addTwoChannels } from './two-channels.ts'

const MODEL = 'gpt-4o'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

describe.each([
  { protocol: 'http/protobuf', compression: 'none' },
  { protocol: 'http/protobuf', compression: 'gzip' },
  { protocol: 'http/json', compression: 'none' },
])('over $protocol, compression $compression', ({ protocol, compression }) => {
  let collector: OtlpReceiver
  let upstream: ScriptedUpstream
  let gateway: TestServer

  /** Makes the calls of all tests; the spans are sent when the gateway stops. */
  beforeAll(async () => {
    collector = await startOtlpReceiver()
    upstream = await openScriptedUpstream()
    gateway = await startTestServer({
      isInMemory: true,
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_COMPRESSION: compression,
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=caf%C3%A9',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector,x-team=ops',
        OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
      },
    })
    const key = await openFor(gateway, upstream)
    let calls = 0
    upstream.respond = (response, request) => {
      if (calls < 2) response.setHeader('x-request-id', `req_${String(calls).repeat(calls + 5)}`)
      if (++calls === 1) return failWith(500, { message: 'down', code: 'made_up' })(response, request)
      return (request.body['stream'] === true ? streamWith() : answerWith())(response, request)
    }
    const content = 'mail me at someone@example.com'
    const call = caller(gateway, key)
    await call({ messages: [{ role: 'user', content }] }, { traceparent: `00-${TRACE}-${PARENT}-01` })
    await call({ stream: true }, {})
    await call({}, { traceparent: 'nonsense', authorization: 'Bearer sk-nobody' })
    await call({}, { traceparent: `00-${'a'.repeat(32)}-${PARENT}-00` })
    await gateway.close()
  })
  afterAll(async () => {
    await Promise.all([upstream.close(), collector.close()])
  })

  const childrenOf = (parent: ReceivedSpan) =>
    collector.spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId)

  test('the collector finds every request valid, and gets its headers', () => {
    expect(collector.complaints).toEqual([])
    expect(collector.headers[0]).toMatchObject({ authorization: 'Bearer collector', 'x-team': 'ops' })
    expect(collector.resource).toMatchObject({
      'service.name': 'tollgate',
      'deployment.environment.name': 'café',
    })
  })

  test('a call with a retry continues the trace of its caller: hold, two attempts, settle', () => {
    const root = collector.spans.find(({ parentSpanId }) => parentSpanId === PARENT)
    expect(root).toMatchObject({ traceId: TRACE, name: 'chat gpt-4o', kind: 2, status: 0 })
    expect(root?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': MODEL,
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
      'http.response.status_code': 200,
      'tollgate.outcome': 'complete',
    })
    const spans = root === undefined ? [] : childrenOf(root)
    const names = spans.toSorted((a, b) => Number(a.startNs - b.startNs)).map(({ name }) => name)
    expect(names).toEqual(['hold', 'attempt chat', 'attempt chat', 'settle'])
    const attempts = spans.filter(({ name }) => name === 'attempt chat')
    expect(attempts.map(({ status, kind, attributes }) => [status, kind, attributes['error.type']])).toEqual([
      [2, 3, 'made_up'],
      [0, 3, undefined],
    ])
    const ids = attempts.map(({ attributes }) => attributes['tollgate.upstream_request_id'])
    expect(ids).toEqual(['req_00000', 'req_111111'])
    for (const { startNs, endNs } of spans)
      expect(startNs >= (root?.startNs ?? 0n) && endNs <= (root?.endNs ?? 0n)).toBe(true)
  })

  test('only a channel that allows it sends the trace to its upstream', () => {
    const sent = upstream.received.slice(0, 2).map(({ headers }) => headers['traceparent'])
    const first = collector.spans.find(({ attributes }) => attributes['error.type'] === 'made_up')
    expect(sent).toEqual([`00-${TRACE}-${first?.spanId ?? ''}-01`, undefined])
  })

  test('texts are in the trace redacted', () => {
    const root = collector.spans.find(({ parentSpanId }) => parentSpanId === PARENT)
    expect(root?.attributes['gen_ai.input.messages']).toMatch(
      /"role":"user","parts":\[\{"type":"text","content":"mail me at/,
    )
    expect(root?.attributes['gen_ai.input.messages']).not.toContain('someone@example.com')
    expect(root?.attributes['gen_ai.output.messages']).toContain('hello there')
  })

  test('a stream has its time to the first chunk, and a refused call its reason', () => {
    const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined)
    expect(roots.map(({ status, attributes }) => [status, attributes['error.type']])).toEqual([
      [0, undefined],
      [2, expect.stringMatching(/token/)],
    ])
    expect(roots[0]?.attributes['gen_ai.response.time_to_first_chunk']).toEqual(expect.any(Number))
  })

  test('a call whose caller does not sample it is not traced', () => {
    expect(collector.spans.some(({ traceId }) => traceId === 'a'.repeat(32))).toBe(false)
  })
})

describe('above TRACES_PER_SECOND', () => {
  const ORDINARY = 30
  let collector: OtlpReceiver
  let upstream: ScriptedUpstream
  let seconds = 0
  let traceparents: unknown[] = []

  beforeAll(async () => {
    collector = await startOtlpReceiver()
    upstream = await openScriptedUpstream()
    const gateway = await startTestServer({
      isInMemory: true,
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRACES_PER_SECOND: '1' },
    })
    const call = caller(gateway, await openFor(gateway, upstream))
    const startedAt = performance.now()
    upstream.respond = answerWith()
    for (let number = 0; number < ORDINARY; number++) await call({}, {})
    let attempts = 0
    upstream.respond = (response, request) =>
      (++attempts === 1 ? failWith(500, { message: 'down', code: 'made_up' }) : answerWith())(
        response,
        request,
      )
    await call({}, {})
    seconds = (performance.now() - startedAt) / 1000
    traceparents = upstream.received.flatMap(({ headers }) => headers['traceparent'] ?? [])
    await gateway.close()
  })
  afterAll(async () => {
    await Promise.all([upstream.close(), collector.close()])
  })

  const rootsWith = (attempts: number) => {
    const attemptsOf = ({ spanId }: ReceivedSpan) =>
      collector.spans.filter((span) => span.parentSpanId === spanId && span.name === 'attempt chat')
    return collector.spans.filter(
      (span) => span.parentSpanId === undefined && attemptsOf(span).length === attempts,
    )
  }

  test('one call a second is traced, and a call that needed a retry as well', () => {
    const ordinary = rootsWith(1).length
    expect(ordinary).toBeGreaterThanOrEqual(1)
    expect(ordinary).toBeLessThanOrEqual(Math.floor(seconds) + 2)
    expect(ordinary).toBeLessThan(ORDINARY)
    const [retried, ...others] = rootsWith(2)
    expect(others).toEqual([])
    const children = collector.spans.filter(({ parentSpanId }) => parentSpanId === retried?.spanId)
    const inOrder = children.toSorted((a, b) => Number(a.startNs - b.startNs))
    expect(inOrder.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
      ['hold', undefined],
      ['attempt chat', 'made_up'],
      ['attempt chat', undefined],
      ['settle', undefined],
    ])
    for (const { startNs, endNs } of children)
      expect(startNs >= (retried?.startNs ?? 0n) && endNs <= (retried?.endNs ?? 0n)).toBe(true)
  })

  test('the header traceparent of a request to the upstream says whether the call is sampled', () => {
    const sampled = traceparents.filter((header) => String(header).endsWith('-01'))
    expect(sampled.length).toBeLessThan(ORDINARY)
    expect(traceparents.filter((header) => String(header).endsWith('-00')).length).toBeGreaterThan(0)
    expect(traceparents).toHaveLength(ORDINARY + 1)
  })
})

/** The first channel may send the trace upstream. Returns the key of a caller. */
async function openFor(gateway: TestServer, { url }: ScriptedUpstream): Promise<string> {
  const key = await addTwoChannels(gateway, { url, model: MODEL, firstSetting: '{"trace_context":true}' })
  await gateway.root.call(routes.option.update, { body: { key: 'LogChatContentEnabled', value: 'true' } })
  return key
}

function caller(gateway: TestServer, key: string) {
  return async (body: Record<string, unknown>, headers: Record<string, string>): Promise<void> => {
    const response = await fetch(`${gateway.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'hello' }], ...body }),
    })
    await response.text()
  }
}
