import { afterEach, describe, expect, it } from 'vitest'
import type { RecordFault } from './call-records.ts'
import { startFakeUpstream, type FakeUpstream, type FakeUpstreamOptions } from './fake-upstream.ts'
import { sseFrames } from './sse-frames.ts'

let upstream: FakeUpstream | undefined

afterEach(async () => {
  await upstream?.close()
  upstream = undefined
})

async function start(options: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
  upstream = await startFakeUpstream(options)
  return upstream
}

function post(url: string, body: object, path = '/v1/chat/completions'): Promise<Response> {
  const payload = { model: 'm', messages: [{ role: 'user', content: 'hi' }], ...body }
  return fetch(url + path, { method: 'POST', body: JSON.stringify(payload) })
}

const stream = { stream: true, stream_options: { include_usage: true } }

async function drawnFaults(): Promise<unknown[]> {
  const drawing = await startFakeUpstream({ faults: { seed: 7, perMille: { html: 300, empty: 300 } } })
  for (let at = 0; at < 40; at++) await (await post(drawing.url, {})).text()
  await drawing.close()
  return drawing.book.map((entry) => entry.fault)
}

describe('the call records of the fake upstream', () => {
  it('the record agrees with a whole response', async () => {
    const { url, book } = await start()
    const answer: { usage: object; choices: object[] } = JSON.parse(
      await (await post(url, { user: 'tag', n: 2, metadata: { tokens: '5' } })).text(),
    )
    expect(answer.choices).toHaveLength(2)
    expect(book).toMatchObject([{ tag: 'tag', status: 200, deliveredTokens: 10, isComplete: true }])
    expect(answer.usage).toMatchObject({ completion_tokens: 10, prompt_tokens: book[0]?.promptTokens })
  })

  it('the record agrees with a stream', async () => {
    const { url, book } = await start()
    const frames = sseFrames(await (await post(url, { ...stream, n: 2, max_tokens: 3 })).text())
    expect(frames.at(-1)).toBe('[DONE]')
    expect(JSON.parse(frames.at(-2) ?? '')).toMatchObject({ usage: { completion_tokens: 6 }, choices: [] })
    expect(frames.filter((each) => each.includes('"finish_reason":"length"'))).toHaveLength(2)
    expect(book).toMatchObject([{ deliveredTokens: 6, framesSent: frames.length, isComplete: true }])
  })

  it('the record shows that a caller closed the connection', async () => {
    const { url, book } = await start()
    const leaving = new AbortController()
    const payload = { model: 'm', messages: [], stream: true, metadata: { tokens: '1000', delay_ms: '5' } }
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(payload),
      signal: leaving.signal,
    })
    await response.body?.getReader().read()
    leaving.abort()
    await expect.poll(() => book[0]?.isCutByPeer).toBe(true)
    expect(book[0]?.isComplete).toBe(false)
  })
})

describe('faults', () => {
  it.each<[RecordFault, number]>([
    ['status-400', 400],
    ['status-401', 401],
    ['status-429', 429],
    ['status-500', 500],
    ['status-503', 503],
    ['html', 200],
    ['garbage', 200],
    ['empty', 200],
    ['error-inside', 200],
    ['usage-missing', 200],
    ['usage-insane', 200],
  ])('%s has status %i', async (fault, status) => {
    const { url, book } = await start()
    const response = await post(url, { model: `fault-${fault}` })
    const text = await response.text()
    expect(response.status).toBe(status)
    expect(book[0]).toMatchObject({ fault, status })
    if (fault === 'usage-missing') expect(text).not.toContain('"usage"')
  })

  it.each<RecordFault>(['reset-before-head', 'reset-after-head', 'half-frame'])(
    '%s breaks the connection',
    async (fault) => {
      const { url } = await start()
      const whole = post(url, { ...stream, model: `fault-${fault}` }).then((response) => response.text())
      await expect(whole).rejects.toThrow(/fetch failed|terminated/)
    },
  )

  it('an error can come in the middle of a stream', async () => {
    const { url, book } = await start()
    const frames = sseFrames(await (await post(url, { ...stream, model: 'fault-error-mid-stream' })).text())
    expect(frames.at(-1)).toContain('"error"')
    expect(book[0]?.deliveredTokens).toBeGreaterThan(0)
  })

  it('usage can come before everything else', async () => {
    const { url } = await start()
    const frames = sseFrames(await (await post(url, { ...stream, model: 'fault-usage-early' })).text())
    expect(frames.map((each) => each.includes('"usage"')).indexOf(true)).toBe(0)
    expect(frames.filter((each) => each.includes('"usage"'))).toHaveLength(1)
  })

  it('the same seed draws the same faults', async () => {
    const first = await drawnFaults()
    expect(await drawnFaults()).toEqual(first)
    expect(new Set(first)).toEqual(new Set(['html', 'empty', undefined]))
  })
})

describe('other operations', () => {
  it('calls the first tool once', async () => {
    const { url } = await start()
    const tools = [{ type: 'function', function: { name: 'find' } }]
    const call = await (await post(url, { tools })).text()
    expect(call).toContain('"name":"find"')
    const done = await post(url, { tools, messages: [{ role: 'tool', content: 'found' }] })
    expect(await done.text()).toContain('"finish_reason":"stop"')
  })

  it.each([
    ['/v1/embeddings', { input: ['a', 'b'] }, '"index":1'],
    ['/v1/moderations', { input: 'a' }, '"flagged":false'],
    ['/v1/completions', { prompt: 'a' }, '"object":"text_completion"'],
  ])('answers %s', async (path, body, part) => {
    const { url } = await start()
    expect(await (await post(url, body, path)).text()).toContain(part)
  })

  it('lists models', async () => {
    const { url } = await start()
    expect(await (await fetch(`${url}/v1/models`)).json()).toMatchObject({ object: 'list' })
  })
})
